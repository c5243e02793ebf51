/* Who stands in front, and what do the lists give each? The inner loops of fuse.py and cut.py, to the last bit the same. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../nth_best.h"

/* A view of an array of numbers of one size; let go of when done. */
typedef struct {
    Py_buffer view;
    Py_ssize_t count;
} Array;

static int lent(PyObject *object, Array *array, Py_ssize_t item)
{
    if (PyObject_GetBuffer(object, &array->view, PyBUF_C_CONTIGUOUS) < 0)
        return -1;
    if (array->view.itemsize != item) {
        PyErr_Format(PyExc_TypeError, "numbers of %zd bytes are expected, not of %zd", item, array->view.itemsize);
        return -1;
    }
    array->count = array->view.len / item;
    return 0;
}

static void give_back(Array *arrays, int count)
{
    for (int number = 0; number < count; number++)
        PyBuffer_Release(&arrays[number].view);
}

/* From a place on, where numbers begin that are not below one: in ever longer steps, then by halves. */
static Py_ssize_t reach(const int64_t *numbers, Py_ssize_t from, Py_ssize_t count, int64_t wanted)
{
    Py_ssize_t low = from, step = 1, high;
    while (low + step < count && numbers[low + step] < wanted) {
        low += step;
        step *= 2;
    }
    high = low + step < count ? low + step : count;
    while (low < high) {
        Py_ssize_t middle = low + (high - low) / 2;
        if (numbers[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Adds what a list gives to those that are there already; both are ascending. Goes through the shorter of the two. */
static void add_gains(const int64_t *handles, double *scores, Py_ssize_t count, const Array *named, const Array *given, double weight)
{
    const int64_t *wanted = named->view.buf;
    const double *gains = given->view.buf;
    int swapped = named->count > count;
    const int64_t *few = swapped ? handles : wanted, *many = swapped ? wanted : handles;
    Py_ssize_t fewer = swapped ? count : named->count, more = swapped ? named->count : count, at = 0;
    for (Py_ssize_t number = 0; number < fewer && at < more; number++) {
        at = reach(many, at, more, few[number]);
        if (at < more && many[at] == few[number])
            scores[swapped ? number : at] += weight * gains[swapped ? at : number];
    }
}

/* unite(handles, scores, coverage, weight, bonuses, further, further_whole, enough, share): see fuse.py. */
static PyObject *unite(PyObject *module, PyObject *arguments)
{
    Array arrays[5] = {0};
    PyObject *handles, *scores, *coverage, *bonuses, *made[2] = {NULL, NULL}, *answer = NULL;
    double weight, share, *scratch = NULL;
    Py_ssize_t further, further_whole, enough;
    (void)module;
    if (!PyArg_ParseTuple(
            arguments, "OOOdOnnnd", &handles, &scores, &coverage, &weight, &bonuses, &further, &further_whole, &enough, &share) ||
        lent(handles, &arrays[0], 8) < 0 || lent(scores, &arrays[1], 8) < 0 || lent(coverage, &arrays[2], 8) < 0)
        goto end;
    Py_ssize_t count = arrays[0].count, several = PySequence_Size(bonuses);
    if (several < 0)
        goto end;
    if (arrays[1].count != count || arrays[2].count != count || enough < 1) {
        PyErr_SetString(PyExc_ValueError, "every record has a score and a coverage, and at least one is enough");
        goto end;
    }
    const double *covered = arrays[2].view.buf, *given = arrays[1].view.buf;
    made[0] = PyByteArray_FromStringAndSize(arrays[0].view.buf, count * 8);
    made[1] = PyByteArray_FromStringAndSize(NULL, count * 8);
    scratch = malloc((count ? count : 1) * sizeof *scratch);
    if (!made[0] || !made[1] || !scratch) {
        if (!scratch)
            PyErr_NoMemory();
        goto end;
    }
    int64_t *ids = (int64_t *)PyByteArray_AsString(made[0]);
    double *sums = (double *)PyByteArray_AsString(made[1]), best = 0.0, unit = 0.0, bonus, least = -INFINITY;
    for (Py_ssize_t at = 0; at < count; at++)
        sums[at] = weight * given[at];
    for (Py_ssize_t number = 0; number < several; number++) {
        PyObject *item = PySequence_GetItem(bonuses, number), *named, *gains;
        double worth;
        int failed = !item || !PyArg_ParseTuple(item, "OOd;a list is records, scores and a weight", &named, &gains, &worth) ||
                     lent(named, &arrays[3], 8) < 0 || lent(gains, &arrays[4], 8) < 0;
        if (!failed && arrays[3].count == arrays[4].count)
            add_gains(ids, sums, count, &arrays[3], &arrays[4], worth);
        give_back(arrays + 3, 2);
        memset(arrays + 3, 0, 2 * sizeof *arrays);
        Py_XDECREF(item);
        if (failed)
            goto end;
    }
    Py_ssize_t whole = 0, kept = 0;
    for (Py_ssize_t at = 0; at < count; at++)
        best = at && best >= sums[at] ? best : sums[at];
    bonus = share * best;
    unit = best;
    for (Py_ssize_t at = 0; at < count; at++)
        if (covered[at] >= 1.0) {
            sums[at] += bonus;
            unit = sums[at] > unit ? sums[at] : unit;
        }
    unit = unit < 0.0 ? 0.0 : unit;
    unit = unit == 0.0 ? 1.0 : unit;
    for (Py_ssize_t at = 0; at < count; at++) {
        sums[at] /= unit;
        if (covered[at] >= 1.0)
            scratch[whole++] = sums[at];
    }
    int narrow = enough <= whole + further_whole && whole + further_whole < count + further;
    if (narrow && whole >= enough) {
        least = nth_best(scratch, whole, enough);
        for (Py_ssize_t at = 0; at < count; at++) {
            ids[kept] = ids[at];
            sums[kept] = sums[at];
            kept += covered[at] >= 1.0 || sums[at] >= least;
        }
        if (PyByteArray_Resize(made[0], kept * 8) < 0 || PyByteArray_Resize(made[1], kept * 8) < 0)
            goto end;
    }
    answer = Py_BuildValue("(OOddndi)", made[0], made[1], unit, bonus, whole, least, narrow);
end:
    give_back(arrays, 5);
    free(scratch);
    Py_XDECREF(made[0]);
    Py_XDECREF(made[1]);
    return answer;
}

/* Scores and tiers of records, and the first of them: those of a lower tier, or of a better score there, or of a lower place. */
typedef struct {
    Array arrays[2];
    const double *scores;
    const int8_t *tiers;
    Py_ssize_t count;
    int64_t *places;
    double *scratch;
} Places;

static int read_places(PyObject *scores, PyObject *tiers, Places *places)
{
    if (lent(scores, &places->arrays[0], 8) < 0 || lent(tiers, &places->arrays[1], 1) < 0)
        return -1;
    places->count = places->arrays[0].count;
    if (places->arrays[1].count != places->count) {
        PyErr_SetString(PyExc_ValueError, "every record has a score and a tier");
        return -1;
    }
    places->scores = places->arrays[0].view.buf;
    places->tiers = places->arrays[1].view.buf;
    places->places = malloc((places->count + 1) * sizeof *places->places);
    places->scratch = malloc((places->count + 1) * sizeof *places->scratch);
    if (places->places && places->scratch)
        return 0;
    PyErr_NoMemory();
    return -1;
}

static void let_go(Places *places)
{
    give_back(places->arrays, 2);
    free(places->places);
    free(places->scratch);
}

/* The tier and the score of the one that comes as the wanted-th; at least one is wanted, and as many are there. */
static void find_last(const Places *places, Py_ssize_t wanted, int *tier, double *line)
{
    Py_ssize_t counts[256] = {0}, some = 0;
    for (Py_ssize_t at = 0; at < places->count; at++)
        counts[places->tiers[at] + 128]++;
    for (*tier = -128; counts[*tier + 128] < wanted; (*tier)++)
        wanted -= counts[*tier + 128];
    for (Py_ssize_t at = 0; at < places->count; at++)
        if (places->tiers[at] == *tier)
            places->scratch[some++] = places->scores[at];
    *line = nth_best(places->scratch, some, wanted);
}

static PyObject *bytes_of(const int64_t *numbers, Py_ssize_t count)
{
    return PyByteArray_FromStringAndSize((const char *)numbers, count * sizeof *numbers);
}

/* foremost(scores, tiers, wanted): the places of those that surely are among the first, ascending, and of all that equal the last of
   them, where these are more than there is room for. */
static PyObject *foremost(PyObject *module, PyObject *arguments)
{
    Places places = {0};
    PyObject *scores, *tiers, *answer = NULL;
    Py_ssize_t wanted, sure = 0, equal = 0;
    int tier;
    double line;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOn", &scores, &tiers, &wanted) || read_places(scores, tiers, &places) < 0)
        goto end;
    if (wanted >= places.count) {
        for (; sure < places.count; sure++)
            places.places[sure] = sure;
    } else if (wanted > 0) {
        int64_t *last = (int64_t *)places.scratch;
        find_last(&places, wanted, &tier, &line);
        for (Py_ssize_t at = 0; at < places.count; at++) {
            int same = places.tiers[at] == tier;
            if (places.tiers[at] < tier || (same && places.scores[at] > line))
                places.places[sure++] = at;
            else if (same && places.scores[at] == line)
                last[equal++] = at;
        }
        if (sure + equal == wanted) {
            /* Both are ascending; there is room for all. */
            Py_ssize_t from = sure, to = wanted;
            while (equal) {
                if (from && places.places[from - 1] > last[equal - 1])
                    places.places[--to] = places.places[--from];
                else
                    places.places[--to] = last[--equal];
            }
            sure = wanted;
        }
    }
    answer = Py_BuildValue("(NN)", bytes_of(places.places, sure), bytes_of((int64_t *)places.scratch, equal));
end:
    let_go(&places);
    return answer;
}

static int comes_before(const Places *places, int64_t one, int64_t other)
{
    if (places->tiers[one] != places->tiers[other])
        return places->tiers[one] < places->tiers[other];
    if (places->scores[one] != places->scores[other])
        return places->scores[one] > places->scores[other];
    return one < other;
}

/* By merging runs that are twice as long each time; ``spare`` has room for as many. */
static void sort(const Places *places, int64_t *some, int64_t *spare, Py_ssize_t count)
{
    for (Py_ssize_t length = 1; length < count; length *= 2) {
        for (Py_ssize_t start = 0; start < count; start += 2 * length) {
            Py_ssize_t middle = start + length < count ? start + length : count;
            Py_ssize_t stop = middle + length < count ? middle + length : count, left = start, right = middle;
            for (Py_ssize_t to = start; to < stop; to++)
                spare[to] = right >= stop || (left < middle && !comes_before(places, some[right], some[left])) ? some[left++]
                                                                                                               : some[right++];
        }
        memcpy(some, spare, count * sizeof *some);
    }
}

/* first(scores, tiers, wanted): the places of the first in order, with all that equal the last of them; and whether any are equal. */
static PyObject *first(PyObject *module, PyObject *arguments)
{
    Places places = {0};
    PyObject *scores, *tiers, *answer = NULL;
    Py_ssize_t wanted, taken = 0;
    int tier, equal = 0;
    double line;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOn", &scores, &tiers, &wanted) || read_places(scores, tiers, &places) < 0)
        goto end;
    if (wanted > 0 && places.count) {
        find_last(&places, wanted < places.count ? wanted : places.count, &tier, &line);
        for (Py_ssize_t at = 0; at < places.count; at++)
            if (places.tiers[at] < tier || (places.tiers[at] == tier && places.scores[at] >= line))
                places.places[taken++] = at;
        sort(&places, places.places, (int64_t *)places.scratch, taken);
        for (Py_ssize_t at = 1; at < taken; at++)
            equal |= places.tiers[places.places[at]] == places.tiers[places.places[at - 1]] &&
                     places.scores[places.places[at]] == places.scores[places.places[at - 1]];
    }
    answer = Py_BuildValue("(Ni)", bytes_of(places.places, taken), equal);
end:
    let_go(&places);
    return answer;
}

static PyMethodDef methods[] = {
    {"unite", unite, METH_VARARGS, "What a list and those that add to it give each record, and who of them is admitted."},
    {"foremost", foremost, METH_VARARGS, "Which places are surely among the first, and which of the others equal the last."},
    {"first", first, METH_VARARGS, "The first places in order, and whether some of them are equal."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, .m_name = "_ordering", .m_doc = "The inner loops of fuse.py and cut.py.", .m_size = 0, .m_methods = methods,
};

PyMODINIT_FUNC PyInit__ordering(void)
{
    return PyModule_Create(&definition);
}
