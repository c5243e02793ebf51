/* What does a term give each record that holds it? The sums of giving.py, to the last bit the same.

   Most records of a term are alike in what counts: how often they hold it, how long they are and whether as it was typed. So what
   each kind of record gets is worked out once, where that is less than working it out for each. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../nth_best.h"

/* Records that hold it more often are few, and each is worked out by itself. */
#define OFTEN 8
/* A table is made where so many records share each of its places. */
#define SHARED 4
/* The first bits of a number that is not negative: its exponent and some more. What is larger has larger ones. */
#define SHIFT 20
#define KINDS (1 << (32 - SHIFT))
#define WORD 64

typedef struct {
    double b, mean, rest, k1, factor, extra;
} Formula;

typedef struct {
    Py_buffer frequencies, lengths, exact;
    Py_ssize_t count;
} Holders;

/* As NumPy does it, one step after the other. */
static inline float gift_of(const Formula *how, double frequency, double length, double exact)
{
    double norm = how->b * length;
    norm /= how->mean;
    norm += how->rest;
    norm *= how->k1;
    norm += frequency;
    double gift = frequency * how->factor;
    gift /= norm;
    gift += exact * how->extra;
    return (float)gift;
}

#define GIVE(frequency_type, length_type)                                                                                     \
    {                                                                                                                        \
        const frequency_type *frequencies = of->frequencies.buf;                                                             \
        const length_type *lengths = of->lengths.buf;                                                                        \
        if (exact)                                                                                                           \
            for (Py_ssize_t at = 0; at < of->count; at++)                                                                    \
                gifts[at] = gift_of(how, (double)frequencies[at], (double)lengths[at], (double)exact[at]);                   \
        else                                                                                                                 \
            for (Py_ssize_t at = 0; at < of->count; at++)                                                                    \
                gifts[at] = gift_of(how, (double)frequencies[at], (double)lengths[at], 0.0);                                 \
    }

static void give_each(const Holders *of, const Formula *how, float *gifts)
{
    const uint8_t *exact = of->exact.buf;
    int short_lengths = of->lengths.itemsize == sizeof(uint16_t);
    if (of->frequencies.itemsize == 1 && short_lengths)
        GIVE(uint8_t, uint16_t)
    else if (of->frequencies.itemsize == 1)
        GIVE(uint8_t, uint32_t)
    else if (short_lengths)
        GIVE(double, uint16_t)
    else
        GIVE(double, uint32_t)
}

/* Whether it was done by a table: for each length, frequency and exactness what that gets. */
static int give_by_table(const Holders *of, const Formula *how, float *gifts)
{
    if (of->frequencies.itemsize != 1 || of->lengths.itemsize != 2)
        return 0;
    const uint8_t *frequencies = of->frequencies.buf, *exact = of->exact.buf;
    const uint16_t *lengths = of->lengths.buf;
    uint16_t longest = 0;
    for (Py_ssize_t at = 0; at < of->count; at++)
        longest = lengths[at] > longest ? lengths[at] : longest;
    Py_ssize_t places = (Py_ssize_t)(longest + 1) * OFTEN;
    if (places * (exact ? 2 : 1) * SHARED > of->count)
        return 0;
    float *table = malloc(places * (exact ? 2 : 1) * sizeof(float));
    if (!table)
        return 0;
    for (int typed = 0; typed <= (exact ? 1 : 0); typed++)
        for (Py_ssize_t length = 0; length <= longest; length++)
            for (int frequency = 1; frequency < OFTEN; frequency++)
                table[typed * places + length * OFTEN + frequency] = gift_of(how, frequency, (double)length, typed);
    if (exact)
        for (Py_ssize_t at = 0; at < of->count; at++) {
            uint8_t frequency = frequencies[at], typed = exact[at];
            gifts[at] = frequency - 1u < OFTEN - 1u && typed <= 1
                            ? table[typed * places + lengths[at] * OFTEN + frequency]
                            : gift_of(how, frequency, lengths[at], typed);
        }
    else
        for (Py_ssize_t at = 0; at < of->count; at++) {
            uint8_t frequency = frequencies[at];
            gifts[at] = frequency - 1u < OFTEN - 1u ? table[lengths[at] * OFTEN + frequency]
                                                    : gift_of(how, frequency, lengths[at], 0.0);
        }
    free(table);
    return 1;
}

static inline uint32_t kind_of(float gift)
{
    uint32_t bits;
    memcpy(&bits, &gift, sizeof bits);
    return bits >> SHIFT;
}

/* The many-th largest of numbers that are not negative, or -1 where memory is short: first which kind it is of, then which of that
   kind it is. */
static double nth_largest(const float *gifts, Py_ssize_t count, Py_ssize_t many)
{
    Py_ssize_t *counts = calloc(KINDS, sizeof *counts), above = 0, taken = 0;
    if (!counts)
        return -1;
    for (Py_ssize_t at = 0; at < count; at++)
        counts[kind_of(gifts[at])]++;
    uint32_t kind = KINDS - 1;
    while (kind && above + counts[kind] < many)
        above += counts[kind--];
    double *some = malloc((counts[kind] ? counts[kind] : 1) * sizeof *some), found = -1;
    for (Py_ssize_t at = 0; some && at < count; at++)
        if (kind_of(gifts[at]) == kind)
            some[taken++] = gifts[at];
    if (some)
        found = nth_best(some, taken, many - above);
    free(some);
    free(counts);
    return found;
}

static int buffer_of(PyObject *object, Py_buffer *view, Py_ssize_t count)
{
    if (PyObject_GetBuffer(object, view, PyBUF_C_CONTIGUOUS) < 0)
        return -1;
    if (view->len / view->itemsize != count) {
        PyErr_SetString(PyExc_ValueError, "there is one number for every record");
        return -1;
    }
    return 0;
}

static PyObject *give_all(const Holders *of, const Formula *how, Py_ssize_t many)
{
    PyObject *made = PyByteArray_FromStringAndSize(NULL, of->count * sizeof(float));
    if (!made)
        return NULL;
    float *gifts = (float *)PyByteArray_AsString(made), most = 0;
    if (!give_by_table(of, how, gifts))
        give_each(of, how, gifts);
    for (Py_ssize_t at = 0; at < of->count; at++)
        most = gifts[at] > most ? gifts[at] : most;
    double to_many = many && of->count >= many ? nth_largest(gifts, of->count, many) : 0.0;
    if (to_many < 0) {
        Py_DECREF(made);
        return PyErr_NoMemory();
    }
    return Py_BuildValue("Ndd", made, (double)most, to_many);
}

static PyObject *give(PyObject *module, PyObject *arguments)
{
    (void)module;
    PyObject *frequencies, *lengths, *exact, *made = NULL;
    Formula how;
    Holders of = {0};
    Py_ssize_t many;
    if (!PyArg_ParseTuple(
            arguments, "OOO(dddddd)n:give", &frequencies, &lengths, &exact, &how.b, &how.mean, &how.rest, &how.k1, &how.factor,
            &how.extra, &many))
        return NULL;
    if (PyObject_GetBuffer(frequencies, &of.frequencies, PyBUF_C_CONTIGUOUS) == 0) {
        of.count = of.frequencies.len / of.frequencies.itemsize;
        if (of.frequencies.itemsize != 1 && of.frequencies.itemsize != 8)
            PyErr_SetString(PyExc_TypeError, "frequencies are bytes, or numbers of eight");
        else if (buffer_of(lengths, &of.lengths, of.count) == 0 && (exact == Py_None || buffer_of(exact, &of.exact, of.count) == 0)) {
            if ((of.lengths.itemsize != 2 && of.lengths.itemsize != 4) || (of.exact.buf && of.exact.itemsize != 1))
                PyErr_SetString(PyExc_TypeError, "lengths have two bytes or four, and what is exact one");
            else
                made = give_all(&of, &how, many);
        }
    }
    PyBuffer_Release(&of.frequencies);
    PyBuffer_Release(&of.lengths);
    PyBuffer_Release(&of.exact);
    return made;
}

/* A bit for each of some records, ascending, and how many of them there are below each 64. */
static PyObject *mark(PyObject *module, PyObject *arguments)
{
    (void)module;
    PyObject *ids, *bits, *starts;
    Py_buffer view = {0};
    Py_ssize_t size, at = 0;
    if (!PyArg_ParseTuple(arguments, "On:mark", &ids, &size) || PyObject_GetBuffer(ids, &view, PyBUF_C_CONTIGUOUS) < 0)
        return NULL;
    Py_ssize_t count = view.len / (Py_ssize_t)sizeof(int32_t), words = (size + WORD - 1) / WORD;
    const int32_t *records = view.buf;
    if (size < 0 || view.itemsize != sizeof(int32_t) || (count && (records[0] < 0 || records[count - 1] >= size))) {
        PyErr_SetString(PyExc_ValueError, "records are numbers of four bytes, ascending, below their size");
        PyBuffer_Release(&view);
        return NULL;
    }
    bits = PyByteArray_FromStringAndSize(NULL, words * WORD / 8);
    starts = PyByteArray_FromStringAndSize(NULL, (words + 1) * sizeof(uint32_t));
    if (!bits || !starts) {
        Py_XDECREF(bits);
        Py_XDECREF(starts);
        PyBuffer_Release(&view);
        return NULL;
    }
    uint8_t *bytes = (uint8_t *)PyByteArray_AsString(bits);
    uint32_t *below = (uint32_t *)PyByteArray_AsString(starts);
    memset(bytes, 0, words * WORD / 8);
    for (Py_ssize_t word = 0; word < words; word++) {
        below[word] = (uint32_t)at;
        for (; at < count && records[at] < (word + 1) * WORD; at++)
            if (records[at] >= word * WORD)
                bytes[records[at] / 8] |= (uint8_t)(1u << records[at] % 8);
    }
    below[words] = (uint32_t)at;
    PyBuffer_Release(&view);
    return Py_BuildValue("NN", bits, starts);
}

static PyMethodDef methods[] = {
    {"give", give, METH_VARARGS, "What a term gives each record that holds it, the most, and what many get at least."},
    {"mark", mark, METH_VARARGS, "A bit for each record, and how many there are below each 64."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, .m_name = "_giving", .m_doc = "Works out what terms give.", .m_size = 0, .m_methods = methods,
};

PyMODINIT_FUNC PyInit__giving(void)
{
    return PyModule_Create(&definition);
}
