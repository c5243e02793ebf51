/* Do the words of the query stand close together? The same as nearness.py, record by record instead of place by place. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    Py_buffer view;
    const int64_t *places;
    Py_ssize_t count, at;
    double worth;
} Word;

/* Goes to the first place that is not before this one; it is near, so that steps that double find it soon. */
static void go_to(Word *word, int64_t place)
{
    Py_ssize_t low = word->at, step = 1;
    while (low + step < word->count && word->places[low + step] < place) {
        low += step;
        step *= 2;
    }
    Py_ssize_t high = low + step < word->count ? low + step : word->count;
    while (low < high) {
        Py_ssize_t middle = low + (high - low) / 2;
        if (word->places[middle] < place)
            low = middle + 1;
        else
            high = middle;
    }
    word->at = low;
}

/* What closeness is worth in one record. ``held``: two bytes for each pair of neighbours in the query. */
static double worth_in(Word *words, Py_ssize_t count, int64_t start, int64_t end, int64_t close, int64_t in_order, uint8_t *held)
{
    Py_ssize_t here = 0, number = -1;
    int64_t before = 0;
    double worth = 0.0;
    for (Py_ssize_t at = 0; at < count; at++) {
        go_to(&words[at], start);
        here += words[at].at < words[at].count && words[at].places[words[at].at] < end;
    }
    if (here < 2)
        return 0.0;
    memset(held, 0, 2 * count);
    for (;;) {
        Py_ssize_t next = -1;
        for (Py_ssize_t at = 0; at < count; at++)
            if (words[at].at < words[at].count && words[at].places[words[at].at] < end &&
                (next < 0 || words[at].places[words[at].at] < words[next].places[words[next].at]))
                next = at;
        if (next < 0)
            break;
        int64_t place = words[next].places[words[next].at++];
        if (number >= 0 && (next == number + 1 || next == number - 1)) {
            Py_ssize_t pair = next < number ? next : number;
            held[2 * pair] |= place - before <= close;
            held[2 * pair + 1] |= place - before <= in_order && next > number;
        }
        number = next;
        before = place;
    }
    for (Py_ssize_t pair = 0; pair + 1 < count; pair++) {
        double least = words[pair].worth < words[pair + 1].worth ? words[pair].worth : words[pair + 1].worth;
        worth += (held[2 * pair] + held[2 * pair + 1]) * least;
    }
    return worth;
}

static PyObject *nearness(PyObject *module, PyObject *arguments)
{
    Py_buffer view = {0};
    PyObject *records, *listed, *answer = NULL;
    Word *words = NULL;
    uint8_t *held = NULL;
    int shift;
    long long close, in_order;
    Py_ssize_t count = 0;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOiLL", &records, &listed, &shift, &close, &in_order))
        return NULL;
    if (PyObject_GetBuffer(records, &view, PyBUF_C_CONTIGUOUS) < 0)
        return NULL;
    count = PySequence_Size(listed);
    if (count < 0 || view.itemsize != sizeof(int64_t) || shift < 1 || shift > 62) {
        if (count >= 0)
            PyErr_SetString(PyExc_TypeError, "records are numbers of eight bytes");
        count = 0;
        goto end;
    }
    words = calloc(count ? count : 1, sizeof *words);
    held = malloc(2 * count + 1);
    if (!words || !held) {
        PyErr_NoMemory();
        goto end;
    }
    for (Py_ssize_t at = 0; at < count; at++) {
        PyObject *item = PySequence_GetItem(listed, at), *places;
        int failed = !item || !PyTuple_Check(item) || !PyArg_ParseTuple(item, "Od", &places, &words[at].worth) ||
                     PyObject_GetBuffer(places, &words[at].view, PyBUF_C_CONTIGUOUS) < 0;
        if (!failed && words[at].view.itemsize != sizeof(int64_t))
            failed = 1;
        Py_XDECREF(item);
        if (failed) {
            if (!PyErr_Occurred())
                PyErr_SetString(PyExc_TypeError, "a word is its places, numbers of eight bytes, and its worth");
            goto end;
        }
        words[at].places = words[at].view.buf;
        words[at].count = words[at].view.len / (Py_ssize_t)sizeof(int64_t);
    }
    Py_ssize_t length = view.len / (Py_ssize_t)sizeof(int64_t);
    answer = PyByteArray_FromStringAndSize(NULL, length * (Py_ssize_t)sizeof(double));
    if (!answer)
        goto end;
    double *worths = (double *)PyByteArray_AsString(answer);
    int64_t most = INT64_MAX >> shift;
    for (Py_ssize_t at = 0; at < length; at++) {
        int64_t record = ((const int64_t *)view.buf)[at];
        int known = record >= 0 && record < most;
        worths[at] = known ? worth_in(words, count, record << shift, (record + 1) << shift, close, in_order, held) : 0.0;
    }
end:
    for (Py_ssize_t at = 0; words && at < count; at++)
        PyBuffer_Release(&words[at].view);
    free(words);
    free(held);
    PyBuffer_Release(&view);
    return answer;
}

static PyMethodDef methods[] = {
    {"nearness", nearness, METH_VARARGS, "What closeness is worth in each of some records, given in ascending order."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, .m_name = "_nearness", .m_doc = "The same as nearness.py.", .m_size = 0, .m_methods = methods,
};

PyMODINIT_FUNC PyInit__nearness(void)
{
    return PyModule_Create(&definition);
}
