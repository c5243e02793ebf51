/* How often does which record hold some words? The sums of tallying.py, to the last bit the same.

   Pages tell for each word and segment, one after the other, which records hold it. Where many do, they are added up in an array with a
   place for every record. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ONE_BYTE 256
#define FOUR_BYTES ((int64_t)1 << 32)
/* More columns than there are. */
#define MOST 16

/* What is told of one column: in an array with a place for every record, or a record after the other. */
typedef struct {
    Py_buffer view;
    const int64_t *numbers;
    uint32_t *sums;
    Py_ssize_t count, size, at;
    int64_t column;
} Part;

typedef struct {
    Part *parts;
    /* Those that are arrays, all of one size. */
    const Part *array[MOST];
    Py_ssize_t count, arrays, size;
    int column_bits, place_bits;
    int64_t mask;
} Told;

/* How often a record holds the words in the next place of a list, all that is told of it together. */
static inline uint32_t taken_from(Part *part, const Told *told, int64_t record)
{
    uint32_t sum = 0;
    for (; part->at < part->count && part->numbers[part->at] >> told->place_bits == record; part->at++)
        sum += (uint32_t)(part->numbers[part->at] & told->mask);
    return sum;
}

static inline int64_t next_record(const Part *part, const Told *told)
{
    return part->at < part->count ? part->numbers[part->at] >> told->place_bits : INT64_MAX;
}

static int add_up(Part *part, const Told *told)
{
    part->sums = calloc(told->size, sizeof *part->sums);
    if (!part->sums)
        return PyErr_NoMemory(), -1;
    for (Py_ssize_t at = 0; at < part->count; at++) {
        int64_t record = part->numbers[at] >> told->place_bits;
        if (record < 0 || record >= part->size)
            return PyErr_SetString(PyExc_ValueError, "a record is beyond what there is"), -1;
        part->sums[record] += (uint32_t)(part->numbers[at] & told->mask);
    }
    return 0;
}

static int read_part(PyObject *item, Part *part, const Told *told)
{
    PyObject *numbers;
    int column;
    if (!PyArg_ParseTuple(item, "Oin", &numbers, &column, &part->size) || PyObject_GetBuffer(numbers, &part->view, PyBUF_C_CONTIGUOUS) < 0)
        return -1;
    if (part->view.itemsize != sizeof(int64_t) || part->size < 0 || column < 0 || column >= 1 << told->column_bits) {
        PyErr_SetString(PyExc_TypeError, "numbers of eight bytes are expected, and a column of those there are");
        return -1;
    }
    part->numbers = part->view.buf;
    part->count = part->view.len / part->view.itemsize;
    part->column = column;
    return 0;
}

/* How many cells there are, and the most that any number among them is. */
static Py_ssize_t measure(const Told *told, int64_t *last, uint32_t *most)
{
    Py_ssize_t cells = 0;
    for (Py_ssize_t number = 0; number < told->count; number++) {
        Part *part = &told->parts[number];
        int64_t reached = part->size - 1;
        if (part->size)
            for (Py_ssize_t record = 0; record < part->size; record++) {
                cells += part->sums[record] != 0;
                *most = part->sums[record] > *most ? part->sums[record] : *most;
            }
        else
            while ((reached = next_record(part, told)) != INT64_MAX) {
                uint32_t sum = taken_from(part, told, reached);
                *last = reached > *last ? reached : *last;
                *most = sum > *most ? sum : *most;
                cells++;
            }
        *last = reached != INT64_MAX && reached > *last ? reached : *last;
        part->at = 0;
    }
    return cells;
}

#define PUT(sum_of, put)                                                                                                     \
    {                                                                                                                        \
        uint32_t sum = sum_of;                                                                                               \
        int64_t cell = record << told->column_bits | part->column;                                                           \
        if (sum) {                                                                                                           \
            put;                                                                                                             \
            at++;                                                                                                            \
        }                                                                                                                    \
    }

/* Record by record, where any column has something; ``put`` takes the place, the cell and the sum. Most columns that tell of few records
   tell nothing of the next one. */
#define WALK(put)                                                                                                            \
    for (int64_t record = 0, next = 0;; record++) {                                                                          \
        for (; record < next && record < told->size; record++)                                                               \
            for (Py_ssize_t number = 0; number < told->arrays; number++) {                                                   \
                const Part *part = told->array[number];                                                                      \
                PUT(part->sums[record], put)                                                                                 \
            }                                                                                                                \
        if (record >= told->size)                                                                                            \
            record = next > record ? next : record;                                                                          \
        if (record == INT64_MAX || (!next && !told->count))                                                                  \
            break;                                                                                                           \
        next = INT64_MAX;                                                                                                    \
        for (Py_ssize_t number = 0; number < told->count; number++) {                                                        \
            Part *part = &told->parts[number];                                                                               \
            PUT(part->size ? (record < told->size ? part->sums[record] : 0) : taken_from(part, told, record), put)           \
            int64_t follows = part->size ? INT64_MAX : next_record(part, told);                                              \
            next = follows < next ? follows : next;                                                                          \
        }                                                                                                                    \
    }

/* In as few bytes as they fit, and whether those are few. */
static PyObject *packed(const Told *told)
{
    int64_t last = -1;
    uint32_t most = 0;
    Py_ssize_t cells = measure(told, &last, &most), at = 0;
    int few = last < FOUR_BYTES >> told->column_bits && most < ONE_BYTE;
    PyObject *first = PyByteArray_FromStringAndSize(NULL, cells * (few ? 4 : 8));
    PyObject *second = PyByteArray_FromStringAndSize(NULL, cells * (few ? 1 : 4));
    if (!first || !second) {
        Py_XDECREF(first);
        Py_XDECREF(second);
        return NULL;
    }
    void *cells_at = PyByteArray_AsString(first), *counts_at = PyByteArray_AsString(second);
    if (few)
        WALK((((uint32_t *)cells_at)[at] = (uint32_t)cell, ((uint8_t *)counts_at)[at] = (uint8_t)sum))
    else
        WALK((((int64_t *)cells_at)[at] = cell, ((int32_t *)counts_at)[at] = (int32_t)sum))
    return Py_BuildValue("NNO", first, second, few ? Py_True : Py_False);
}

static PyObject *counted(PyObject *module, PyObject *arguments)
{
    PyObject *parts, *made = NULL;
    Told told = {0};
    (void)module;
    if (!PyArg_ParseTuple(arguments, "Oii", &parts, &told.column_bits, &told.place_bits))
        return NULL;
    if ((told.count = PySequence_Size(parts)) < 0)
        return NULL;
    if (told.count > MOST || told.column_bits < 0 || told.column_bits > 8 || told.place_bits < 1 || told.place_bits > 31)
        return PyErr_SetString(PyExc_ValueError, "a number has too few bits for this, or there are too many columns"), NULL;
    told.mask = ((int64_t)1 << told.place_bits) - 1;
    told.parts = calloc(told.count ? told.count : 1, sizeof *told.parts);
    int failed = !told.parts;
    if (failed)
        PyErr_NoMemory();
    for (Py_ssize_t number = 0; number < told.count && !failed; number++) {
        PyObject *item = PySequence_GetItem(parts, number);
        failed = !item || read_part(item, &told.parts[number], &told) < 0;
        Py_XDECREF(item);
        told.size = told.parts[number].size > told.size ? told.parts[number].size : told.size;
    }
    for (Py_ssize_t number = 0; number < told.count && !failed; number++)
        if (told.parts[number].size) {
            failed = add_up(&told.parts[number], &told) < 0;
            told.array[told.arrays++] = &told.parts[number];
        }
    if (!failed)
        made = packed(&told);
    for (Py_ssize_t number = 0; told.parts && number < told.count; number++) {
        PyBuffer_Release(&told.parts[number].view);
        free(told.parts[number].sums);
    }
    free(told.parts);
    return made;
}

static PyObject *frequencies(PyObject *module, PyObject *arguments)
{
    PyObject *first, *second, *weighed, *made = NULL, *ids = NULL, *sums = NULL;
    Py_buffer cells = {0}, counts = {0}, weights = {0};
    int column_bits;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOOi", &first, &second, &weighed, &column_bits))
        return NULL;
    if (PyObject_GetBuffer(first, &cells, PyBUF_C_CONTIGUOUS) < 0 || PyObject_GetBuffer(second, &counts, PyBUF_C_CONTIGUOUS) < 0 ||
        PyObject_GetBuffer(weighed, &weights, PyBUF_C_CONTIGUOUS) < 0)
        goto done;
    int few = cells.itemsize == 4 && counts.itemsize == 1;
    Py_ssize_t count = cells.len / cells.itemsize, taken = 0, columns = weights.len / (Py_ssize_t)sizeof(double);
    if ((!few && (cells.itemsize != 8 || counts.itemsize != 4)) || counts.len / counts.itemsize != count || weights.itemsize != 8 ||
        column_bits < 0 || column_bits > 8) {
        PyErr_SetString(PyExc_TypeError, "cells and counts are as they are packed, and weights are doubles");
        goto done;
    }
    ids = PyByteArray_FromStringAndSize(NULL, count * sizeof(int64_t));
    sums = PyByteArray_FromStringAndSize(NULL, count * sizeof(double));
    if (!ids || !sums)
        goto done;
    int64_t *records = (int64_t *)PyByteArray_AsString(ids), mask = ((int64_t)1 << column_bits) - 1;
    double *found = (double *)PyByteArray_AsString(sums);
    for (Py_ssize_t at = 0; at < count; at++) {
        int64_t cell = few ? ((const uint32_t *)cells.buf)[at] : ((const int64_t *)cells.buf)[at], record = cell >> column_bits;
        if ((cell & mask) >= columns) {
            PyErr_SetString(PyExc_ValueError, "a column has no weight");
            goto done;
        }
        double given = (few ? ((const uint8_t *)counts.buf)[at] : ((const int32_t *)counts.buf)[at]) *
                       ((const double *)weights.buf)[cell & mask];
        if (taken && records[taken - 1] == record) {
            found[taken - 1] += given;
            continue;
        }
        records[taken] = record;
        found[taken++] = given;
    }
    if (PyByteArray_Resize(ids, taken * sizeof(int64_t)) == 0 && PyByteArray_Resize(sums, taken * sizeof(double)) == 0)
        made = Py_BuildValue("OO", ids, sums);
done:
    Py_XDECREF(ids);
    Py_XDECREF(sums);
    PyBuffer_Release(&cells);
    PyBuffer_Release(&counts);
    PyBuffer_Release(&weights);
    return made;
}

/* A byte for each of some records, ascending: 1 for those that are among others, ascending too. */
static PyObject *among(PyObject *module, PyObject *arguments)
{
    PyObject *first, *second, *made = NULL;
    Py_buffer ids = {0}, others = {0};
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OO", &first, &second))
        return NULL;
    if (PyObject_GetBuffer(first, &ids, PyBUF_C_CONTIGUOUS) == 0 && PyObject_GetBuffer(second, &others, PyBUF_C_CONTIGUOUS) == 0) {
        if (ids.itemsize != sizeof(int64_t) || others.itemsize != sizeof(int64_t))
            PyErr_SetString(PyExc_TypeError, "records are numbers of eight bytes");
        else
            made = PyByteArray_FromStringAndSize(NULL, ids.len / ids.itemsize);
    }
    if (made) {
        uint8_t *marks = (uint8_t *)PyByteArray_AsString(made);
        const int64_t *records = ids.buf, *asked = others.buf;
        Py_ssize_t count = ids.len / ids.itemsize, more = others.len / others.itemsize, other = 0;
        for (Py_ssize_t at = 0; at < count; at++) {
            while (other < more && asked[other] < records[at])
                other++;
            marks[at] = other < more && asked[other] == records[at];
        }
    }
    PyBuffer_Release(&ids);
    PyBuffer_Release(&others);
    return made;
}

static PyMethodDef methods[] = {
    {"among", among, METH_VARARGS, "A byte for each record: 1 for those that are among others."},
    {"counted", counted, METH_VARARGS, "Cells, ascending, how often each holds the words, and whether they are packed in few bytes."},
    {"frequencies", frequencies, METH_VARARGS, "Records, and the weighted number of occurrences in each."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, .m_name = "_tallying", .m_doc = "Counts postings.", .m_size = 0, .m_methods = methods,
};

PyMODINIT_FUNC PyInit__tallying(void)
{
    return PyModule_Create(&definition);
}
