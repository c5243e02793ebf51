/* Who holds enough of a query, and how much does each score? The sums of summing.py in one pass, to the last bit the same.

   What the terms give is added up for a block of records at a time, so that the sums stay near the processor; of each block only
   those are kept that may still stand in front. Terms are added in the order they are given in, as everywhere. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../nth_best.h"

/* Records of a block: their sums fit into the nearest caches. */
#define BLOCK 4096
/* Records that are looked at together: where none of them may be in front, none is looked at by itself. */
#define GROUP 8
/* So many are gathered before it is seen which of them still may be in front. */
#define GATHERED 512
/* With fewer postings others need not be let in meanwhile. */
#define SHORT 20000
/* Bits that are looked at together. */
#define WORD 64

typedef struct {
    Py_buffer ids_view, gifts_view, bits_view, starts_view;
    const int32_t *ids;
    const float *gifts;
    /* Where that is told, a bit for each record, the lowest first, and how many hold it below each 64 of them. */
    const uint8_t *bits;
    const uint32_t *starts;
    Py_ssize_t count, at;
    /* The most it gives anyone, what it gives many at least, and how much holding it tells. */
    double most, to_many, tells, weight, worth;
} Part;

/* What is asked, and who is in it so far. */
typedef struct {
    Part *parts;
    Py_ssize_t count, size;
    /* ``total``: all there is to hold; 0 where nobody asks for shares of it. */
    double bound, whole, total;
    const uint8_t *within;
    Py_buffer within_view;
    /* Who is looked at with what others give. */
    Py_buffer also_view, gains_view;
    const int64_t *also;
    const double *gains;
    Py_ssize_t also_count;
    /* How many are many. */
    Py_ssize_t many;
    /* The best so many are wanted; 0: everyone. So many that hold everything are enough. */
    Py_ssize_t wanted, enough;
    /* What a record must have to be in front, as far as is known; of those that hold everything less may do. */
    double line, whole_line;
    int line_is_settled;
    Py_ssize_t found, complete;
    /* Those that may be in front, ascending. */
    int64_t *ids;
    double *scores, *held, *gained, *scratch;
    Py_ssize_t taken, room, see_at;
} Sum;

static int buffer_of(PyObject *object, Py_buffer *view, Py_ssize_t item, Py_ssize_t *count)
{
    if (PyObject_GetBuffer(object, view, PyBUF_C_CONTIGUOUS) < 0)
        return -1;
    if (view->itemsize != item) {
        PyErr_Format(PyExc_TypeError, "numbers of %zd bytes are expected, not of %zd", item, view->itemsize);
        PyBuffer_Release(view);
        memset(view, 0, sizeof *view);
        return -1;
    }
    *count = view->len / item;
    return 0;
}

static int read_part(PyObject *tuple, Part *part, Py_ssize_t size)
{
    PyObject *given;
    Py_ssize_t gifts = 0, bytes = 0, starts = 0, words = (size + WORD - 1) / WORD;
    if (!PyArg_ParseTuple(tuple, "Odd;a part is what is given, a weight and a worth", &given, &part->weight, &part->worth))
        return -1;
    PyObject *ids, *values, *bits, *below;
    if (!PyArg_ParseTuple(
            given, "OOdOOdd;what is given is records, gifts, the most, bits and starts, what many get and what it tells", &ids, &values,
            &part->most, &bits, &below, &part->to_many, &part->tells) ||
        buffer_of(ids, &part->ids_view, sizeof(int32_t), &part->count) < 0 ||
        buffer_of(values, &part->gifts_view, sizeof(float), &gifts) < 0 ||
        (bits != Py_None && (buffer_of(bits, &part->bits_view, 1, &bytes) < 0 ||
                             buffer_of(below, &part->starts_view, sizeof(uint32_t), &starts) < 0)))
        return -1;
    if (gifts != part->count) {
        PyErr_SetString(PyExc_ValueError, "every record of a part has one gift");
        return -1;
    }
    part->ids = part->ids_view.buf;
    part->gifts = part->gifts_view.buf;
    /* Who asks in between two commits may know of more records than there were when the bits were made: then the numbers tell. */
    if (bytes < words * WORD / 8 || starts <= words)
        return 0;
    part->starts = part->starts_view.buf;
    part->bits = part->bits_view.buf;
    return 0;
}

static void release(Sum *sum)
{
    for (Py_ssize_t number = 0; sum->parts && number < sum->count; number++) {
        PyBuffer_Release(&sum->parts[number].ids_view);
        PyBuffer_Release(&sum->parts[number].gifts_view);
        PyBuffer_Release(&sum->parts[number].bits_view);
        PyBuffer_Release(&sum->parts[number].starts_view);
    }
    PyBuffer_Release(&sum->within_view);
    PyBuffer_Release(&sum->also_view);
    PyBuffer_Release(&sum->gains_view);
    free(sum->parts);
    free(sum->ids);
    free(sum->scores);
    free(sum->held);
    free(sum->gained);
    free(sum->scratch);
}

static int read_sum(Sum *sum, PyObject *parts, PyObject *within)
{
    Py_ssize_t count = PySequence_Size(parts), length = 0;
    if (count < 0)
        return -1;
    if (sum->size < 0 || sum->size > INT32_MAX) {
        PyErr_SetString(PyExc_ValueError, "there are at most as many records as four bytes can number");
        return -1;
    }
    sum->parts = calloc(count ? count : 1, sizeof(Part));
    if (!sum->parts) {
        PyErr_NoMemory();
        return -1;
    }
    sum->count = count;
    for (Py_ssize_t number = 0; number < count; number++) {
        PyObject *item = PySequence_GetItem(parts, number);
        int failed = !item || read_part(item, &sum->parts[number], sum->size) < 0;
        Py_XDECREF(item);
        if (failed)
            return -1;
    }
    if (within == Py_None)
        return 0;
    if (buffer_of(within, &sum->within_view, 1, &length) < 0)
        return -1;
    if (length < sum->size) {
        PyErr_SetString(PyExc_ValueError, "the mask has a place for every record");
        return -1;
    }
    sum->within = sum->within_view.buf;
    return 0;
}

/* The number-th best score of those taken, with what others give them for certain: of all of them, or of those that hold everything. Minus infinity
   where nobody is. */
static double nth_taken(Sum *sum, Py_ssize_t number, int complete, Py_ssize_t *count)
{
    *count = 0;
    for (Py_ssize_t at = 0; at < sum->taken; at++)
        if (!complete || sum->held[at] >= sum->whole)
            sum->scratch[(*count)++] = sum->scores[at] + (isinf(sum->gained[at]) ? 0.0 : sum->gained[at]);
    return *count ? nth_best(sum->scratch, *count, number) : -INFINITY;
}

static inline int may_lead(const Sum *sum, double score, double gain, double held)
{
    double line = held >= sum->whole ? sum->whole_line : sum->line;
    return score >= line || score + gain >= line;
}

/* Lets go of those that cannot be in front, now that so many better ones are known. */
static void see(Sum *sum)
{
    Py_ssize_t count, kept = 0;
    double line = nth_taken(sum, sum->wanted, 0, &count);
    if (count >= sum->wanted && line > sum->line && !sum->line_is_settled)
        sum->line = line;
    Py_ssize_t whole = sum->wanted > sum->enough ? sum->wanted : sum->enough;
    line = nth_taken(sum, whole, 1, &count);
    if (count >= whole && line > sum->whole_line)
        sum->whole_line = line;
    if (sum->whole_line > sum->line)
        sum->whole_line = sum->line;
    for (Py_ssize_t at = 0; at < sum->taken; at++) {
        if (!may_lead(sum, sum->scores[at], sum->gained[at], sum->held[at]))
            continue;
        sum->ids[kept] = sum->ids[at];
        sum->scores[kept] = sum->scores[at];
        sum->held[kept] = sum->held[at];
        sum->gained[kept++] = sum->gained[at];
    }
    sum->taken = kept;
    sum->see_at = 2 * kept > GATHERED ? 2 * kept : GATHERED;
}

static int more_room(Sum *sum)
{
    Py_ssize_t room = sum->room ? 2 * sum->room : 2 * GATHERED;
    void *ids = realloc(sum->ids, room * sizeof *sum->ids);
    if (ids)
        sum->ids = ids;
    double **arrays[] = {&sum->scores, &sum->held, &sum->gained, &sum->scratch};
    int failed = !ids;
    for (int number = 0; number < 4; number++) {
        void *array = realloc(*arrays[number], room * sizeof(double));
        if (array)
            *arrays[number] = array;
        failed |= !array;
    }
    if (failed)
        return -1;
    sum->room = room;
    return 0;
}

static inline int take(Sum *sum, Py_ssize_t id, double score, double held, double gain)
{
    if (sum->taken == sum->room && (!sum->wanted || more_room(sum) < 0))
        return -1;
    sum->ids[sum->taken] = id;
    sum->scores[sum->taken] = score;
    sum->held[sum->taken] = held;
    if (sum->wanted)
        sum->gained[sum->taken] = gain;
    if (++sum->taken >= sum->see_at && sum->wanted)
        see(sum);
    return 0;
}

/* Takes those of a block that are found and may be in front. */
static int take_block(
    Sum *sum, Py_ssize_t base, Py_ssize_t length, const double *scores, const double *held, const double *gained, int with_gains)
{
    const uint8_t *within = sum->within ? sum->within + base : NULL;
    Py_ssize_t found = 0, complete = 0;
    if (within)
        for (Py_ssize_t at = 0; at < length; at++) {
            found += (held[at] >= sum->bound) & (within[at] != 0);
            complete += (held[at] >= sum->whole) & (within[at] != 0);
        }
    else
        for (Py_ssize_t at = 0; at < length; at++) {
            found += held[at] >= sum->bound;
            complete += held[at] >= sum->whole;
        }
    sum->found += found;
    sum->complete += complete;
    if (!found)
        return 0;
    if (!sum->wanted) {
        if (found > sum->room - sum->taken)
            return -1;
        /* Each is written, and the next one over it where it was not found: nobody can guess who is. */
        for (Py_ssize_t at = 0; at < length; at++) {
            sum->ids[sum->taken] = base + at;
            sum->scores[sum->taken] = scores[at];
            sum->held[sum->taken] = held[at];
            sum->taken += (held[at] >= sum->bound) & (!within || within[at]);
        }
        return 0;
    }
    for (Py_ssize_t start = 0; start < length; start += GROUP) {
        Py_ssize_t stop = start + GROUP < length ? start + GROUP : length;
        if (stop - start == GROUP && !complete && !with_gains) {
            int any = 0;
            for (int at = 0; at < GROUP; at++)
                any |= scores[start + at] >= sum->line;
            if (!any)
                continue;
        }
        for (Py_ssize_t at = start; at < stop; at++) {
            if (held[at] >= sum->bound && (!within || within[at]) && may_lead(sum, scores[at], gained[at], held[at]) &&
                take(sum, base + at, scores[at], held[at], gained[at]) < 0)
                return -1;
        }
    }
    return 0;
}

static inline int lowest_of(uint64_t bits)
{
#if defined(__GNUC__)
    return __builtin_ctzll(bits);
#else
    int number = 0;
    for (; !(bits & 1); bits >>= 1)
        number++;
    return number;
#endif
}

/* Adds up block by block. Whatever the numbers are, nothing outside of the block is touched. */
static int walk_blocks(Sum *sum)
{
    double *sums = malloc(3 * BLOCK * sizeof(double));
    if (!sums)
        return -1;
    double *scores = sums, *held = sums + BLOCK, *gained = sums + 2 * BLOCK;
    Py_ssize_t also_at = 0;
    int failed = 0;
    memset(gained, 0, BLOCK * sizeof(double));
    for (Py_ssize_t base = 0; base < sum->size && !failed; base += BLOCK) {
        Py_ssize_t length = sum->size - base < BLOCK ? sum->size - base : BLOCK, touched = 0;
        memset(scores, 0, 2 * BLOCK * sizeof(double));
        for (Py_ssize_t number = 0; number < sum->count; number++) {
            Part *part = &sum->parts[number];
            const int32_t *ids = part->ids;
            const float *gifts = part->gifts;
            const double weight = part->weight, worth = part->worth;
            Py_ssize_t at = part->at, count = part->count;
            for (; at < count; at++) {
                uint64_t place = (uint64_t)((int64_t)ids[at] - base);
                if (place >= (uint64_t)length)
                    break;
                scores[place] += weight * (double)gifts[at];
                held[place] += worth;
            }
            touched += at - part->at;
            part->at = at;
        }
        Py_ssize_t also_end = also_at;
        for (; also_end < sum->also_count && sum->also[also_end] >= base && sum->also[also_end] < base + length; also_end++)
            gained[sum->also[also_end] - base] = sum->gains[also_end];
        if (touched)
            failed = take_block(sum, base, length, scores, held, gained, also_end > also_at) < 0;
        for (; also_at < also_end; also_at++)
            gained[sum->also[also_at] - base] = 0.0;
    }
    free(sums);
    return failed ? -1 : 0;
}

/* The same for everyone, where most of a block hold nothing: those that do are marked, and only these are looked at. */
static int walk_marked(Sum *sum)
{
    double *sums = calloc(2 * BLOCK, sizeof(double));
    if (!sums)
        return -1;
    double *scores = sums, *held = sums + BLOCK;
    uint64_t marked[BLOCK / WORD] = {0};
    int failed = 0;
    for (Py_ssize_t base = 0; base < sum->size && !failed; base += BLOCK) {
        Py_ssize_t length = sum->size - base < BLOCK ? sum->size - base : BLOCK;
        for (Py_ssize_t number = 0; number < sum->count; number++) {
            Part *part = &sum->parts[number];
            for (; part->at < part->count; part->at++) {
                uint64_t place = (uint64_t)((int64_t)part->ids[part->at] - base);
                if (place >= (uint64_t)length)
                    break;
                marked[place / WORD] |= (uint64_t)1 << place % WORD;
                scores[place] += part->weight * (double)part->gifts[part->at];
                held[place] += part->worth;
            }
        }
        for (Py_ssize_t word = 0; word * WORD < length; word++) {
            for (uint64_t bits = marked[word]; bits; bits &= bits - 1) {
                Py_ssize_t place = word * WORD + lowest_of(bits);
                if (held[place] >= sum->bound && (!sum->within || sum->within[base + place])) {
                    sum->found++;
                    sum->complete += held[place] >= sum->whole;
                    failed |= take(sum, base + place, scores[place], held[place], 0.0) < 0;
                }
                scores[place] = held[place] = 0.0;
            }
            marked[word] = 0;
        }
    }
    free(sums);
    return failed ? -1 : 0;
}

/* Adds up record by record, always the next that any term has: where few are concerned, blocks would be looked at in vain. */
static int walk_records(Sum *sum)
{
    Py_ssize_t also_at = 0;
    for (;;) {
        int64_t next = INT64_MAX;
        for (Py_ssize_t number = 0; number < sum->count; number++) {
            Part *part = &sum->parts[number];
            if (part->at < part->count && part->ids[part->at] < next)
                next = part->ids[part->at];
        }
        if (next < 0 || next >= sum->size)
            return 0;
        double score = 0.0, held = 0.0, gain = 0.0;
        for (Py_ssize_t number = 0; number < sum->count; number++) {
            Part *part = &sum->parts[number];
            if (part->at < part->count && part->ids[part->at] == next) {
                score += part->weight * (double)part->gifts[part->at++];
                held += part->worth;
            }
        }
        if (held < sum->bound || (sum->within && !sum->within[next]))
            continue;
        sum->found++;
        sum->complete += held >= sum->whole;
        while (also_at < sum->also_count && sum->also[also_at] < next)
            also_at++;
        if (also_at < sum->also_count && sum->also[also_at] == next)
            gain = sum->gains[also_at];
        if (may_lead(sum, score, gain, held) && take(sum, (Py_ssize_t)next, score, held, gain) < 0)
            return -1;
    }
}

/* The same for a single term. */
static int walk_one(Sum *sum)
{
    Part *part = sum->parts;
    Py_ssize_t also_at = 0;
    int64_t before = -1;
    if (part->worth < sum->bound) {
        part->at = part->count;
        return 0;
    }
    for (; part->at < part->count; part->at++) {
        int64_t id = part->ids[part->at];
        if (id <= before || id >= sum->size)
            return 0;
        before = id;
        if (sum->within && !sum->within[id])
            continue;
        double score = part->weight * (double)part->gifts[part->at], gain = 0.0;
        sum->found++;
        sum->complete += part->worth >= sum->whole;
        if (also_at < sum->also_count && sum->also[also_at] <= id) {
            while (also_at < sum->also_count && sum->also[also_at] < id)
                also_at++;
            if (also_at < sum->also_count && sum->also[also_at] == id)
                gain = sum->gains[also_at];
        }
        if (may_lead(sum, score, gain, part->worth) && take(sum, (Py_ssize_t)id, score, part->worth, gain) < 0)
            return -1;
    }
    return 0;
}

#include "levels.h"

/* How many numbers the terms have together. */
static Py_ssize_t postings_of(const Sum *sum)
{
    Py_ssize_t postings = 0;
    for (Py_ssize_t number = 0; number < sum->count; number++)
        postings += sum->parts[number].count;
    return postings;
}

/* Whether so few that it is quicker to go from one to the next than through all blocks. */
static int are_few(const Sum *sum)
{
    return postings_of(sum) < sum->size / (4 * (sum->count + 1));
}

/* Whether most of a block hold nothing, so that it is quicker to mark those that do. */
static int are_sparse(const Sum *sum)
{
    return !sum->wanted && postings_of(sum) < sum->size / 2;
}

static int walk(Sum *sum)
{
    sum->found = sum->complete = sum->taken = 0;
    sum->see_at = GATHERED;
    for (Py_ssize_t number = 0; number < sum->count; number++)
        sum->parts[number].at = 0;
    Levels levels = {0};
    PyThreadState *state = postings_of(sum) > SHORT ? PyEval_SaveThread() : NULL;
    if (sum->wanted && sum->count > 1 && !are_few(sum))
        tell_levels(sum, &levels);
    int failed = sum->count == 1   ? walk_one(sum)
                 : are_few(sum)    ? walk_records(sum)
                 : levels.count    ? walk_levels(sum, &levels)
                 : are_sparse(sum) ? walk_marked(sum)
                                   : walk_blocks(sum);
    if (state)
        PyEval_RestoreThread(state);
    if (failed) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t number = 0; number < sum->count; number++)
        if (sum->parts[number].at < sum->parts[number].count) {
            PyErr_SetString(PyExc_ValueError, "records are numbered from 0 to the size, ascending");
            return -1;
        }
    return 0;
}

/* What each holds becomes its share of all, where that is asked for. */
static void cover(const Sum *sum, double *held)
{
    for (Py_ssize_t at = 0; sum->total > 0.0 && at < sum->taken; at++)
        held[at] = held[at] >= sum->whole ? 1.0 : held[at] / sum->total;
}

static PyObject *listed(Sum *sum)
{
    Py_ssize_t more = sum->found - sum->taken, more_whole = sum->complete;
    for (Py_ssize_t at = 0; at < sum->taken; at++)
        more_whole -= sum->held[at] >= sum->whole;
    cover(sum, sum->held);
    PyObject *ids = PyByteArray_FromStringAndSize((const char *)sum->ids, sum->taken * sizeof *sum->ids);
    PyObject *scores = PyByteArray_FromStringAndSize((const char *)sum->scores, sum->taken * sizeof *sum->scores);
    PyObject *held = PyByteArray_FromStringAndSize((const char *)sum->held, sum->taken * sizeof *sum->held);
    if (!ids || !scores || !held) {
        Py_XDECREF(ids);
        Py_XDECREF(scores);
        Py_XDECREF(held);
        return NULL;
    }
    return Py_BuildValue("(NNNnnn)", ids, scores, held, more, more_whole, sum->complete);
}

/* Everyone goes right into what is handed over, which has room for as many as there can be: memory costs only where it is written. */
static PyObject *everyone_of(Sum *sum)
{
    PyObject *made[3] = {NULL, NULL, NULL}, *answer = NULL;
    sum->room = postings_of(sum) < sum->size ? postings_of(sum) : sum->size;
    for (int number = 0; number < 3; number++)
        if (!(made[number] = PyByteArray_FromStringAndSize(NULL, (sum->room + 1) * 8)))
            goto end;
    sum->ids = (int64_t *)PyByteArray_AsString(made[0]);
    sum->scores = (double *)PyByteArray_AsString(made[1]);
    sum->held = (double *)PyByteArray_AsString(made[2]);
    if (walk(sum) < 0)
        goto end;
    cover(sum, sum->held);
    for (int number = 0; number < 3; number++)
        if (PyByteArray_Resize(made[number], sum->taken * 8) < 0)
            goto end;
    answer = Py_BuildValue("(OOOnnn)", made[0], made[1], made[2], (Py_ssize_t)0, (Py_ssize_t)0, sum->complete);
end:
    sum->ids = NULL;
    sum->scores = sum->held = NULL;
    for (int number = 0; number < 3; number++)
        Py_XDECREF(made[number]);
    return answer;
}

/* Keeps of those taken who is in front, as Front has it; 1: someone may be missing who is as good as the line. */
static int settle(Sum *sum)
{
    Py_ssize_t count, kept = 0;
    double line = nth_taken(sum, sum->wanted, 0, &count);
    double last_complete = nth_taken(sum, sum->wanted, 1, &count);
    if (sum->enough <= sum->complete && sum->complete < sum->found) {
        double sufficient = nth_taken(sum, sum->enough, 1, &count);
        line = sufficient < line ? sufficient : line;
    }
    if (line < sum->line) {
        sum->line = line;
        return 1;
    }
    for (Py_ssize_t at = 0; at < sum->taken; at++) {
        double possible = sum->scores[at] + sum->gained[at];
        if (possible < line && !(sum->held[at] >= sum->whole && possible >= last_complete))
            continue;
        sum->ids[kept] = sum->ids[at];
        sum->scores[kept] = sum->scores[at];
        sum->held[kept++] = sum->held[at];
    }
    sum->taken = kept;
    return 0;
}

/* Whom others name, and what they give each. */
static int read_also(Sum *sum, PyObject *also, PyObject *gains)
{
    Py_ssize_t count = 0;
    if (buffer_of(also, &sum->also_view, sizeof(int64_t), &sum->also_count) < 0 ||
        buffer_of(gains, &sum->gains_view, sizeof(double), &count) < 0)
        return -1;
    if (sum->wanted < 1 || sum->enough < 1 || count != sum->also_count) {
        PyErr_SetString(PyExc_ValueError, "at least one is wanted, and each of the others has one gain");
        return -1;
    }
    sum->also = sum->also_view.buf;
    sum->gains = sum->gains_view.buf;
    return 0;
}

static PyObject *front_of(Sum *sum)
{
    sum->line = sum->whole_line = -INFINITY;
    /* Who holds everything has been found. */
    sum->whole = sum->whole > sum->bound ? sum->whole : sum->bound;
    if (walk(sum) < 0)
        return NULL;
    if (settle(sum)) {
        /* So many hold everything that others only need to be as good as these: once more, for now it is known how good that is. */
        sum->line_is_settled = 1;
        sum->whole_line = -INFINITY;
        if (walk(sum) < 0)
            return NULL;
        settle(sum);
    }
    return listed(sum);
}

/* everyone(parts, bound, size, within) */
static PyObject *everyone(PyObject *module, PyObject *arguments)
{
    Sum sum = {.line = -INFINITY, .whole_line = -INFINITY, .whole = INFINITY};
    PyObject *parts, *within, *answer = NULL;
    (void)module;
    if (PyArg_ParseTuple(arguments, "OdnO", &parts, &sum.bound, &sum.size, &within) && read_sum(&sum, parts, within) == 0)
        answer = everyone_of(&sum);
    release(&sum);
    return answer;
}

/* front(parts, bound, whole, size, within, wanted, enough, also, gains, many) */
static PyObject *front(PyObject *module, PyObject *arguments)
{
    Sum sum = {0};
    PyObject *parts, *within, *also, *gains, *answer = NULL;
    (void)module;
    if (PyArg_ParseTuple(
            arguments, "OddnOnnOOn", &parts, &sum.bound, &sum.whole, &sum.size, &within, &sum.wanted, &sum.enough, &also, &gains,
            &sum.many) &&
        read_sum(&sum, parts, within) == 0 && read_also(&sum, also, gains) == 0)
        answer = front_of(&sum);
    release(&sum);
    return answer;
}

/* What holding each term is worth, what is enough and what is everything, and the terms in their order: ``weighed`` in summing.py.
   The parts come with 1 as their worth where they are required, else with 0. */
static int weigh(Sum *sum, double least, Py_ssize_t heaviest, double rounding, double nothing)
{
    double *required = malloc((sum->count ? sum->count : 1) * sizeof *required), heart = 0.0;
    Py_ssize_t count = 0;
    if (!required) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t number = 0; number < sum->count; number++) {
        Part *part = &sum->parts[number];
        double worth = part->weight * part->tells;
        if (part->worth > 0.0) {
            Py_ssize_t at = count++;
            for (; at > 0 && required[at - 1] > worth; at--)
                required[at] = required[at - 1];
            required[at] = worth;
        }
        part->worth = part->worth > 0.0 ? worth : 0.0;
    }
    sum->total = 0.0;
    for (Py_ssize_t at = 0; at < count; at++)
        sum->total += required[at];
    for (Py_ssize_t at = count > heaviest ? count - heaviest : 0; at < count; at++)
        heart += required[at];
    free(required);
    sum->bound = least * heart > nothing ? least * heart : nothing;
    if (sum->count == 1)
        /* Whoever holds it holds everything, whatever it is worth. */
        sum->parts[0].worth = sum->bound = sum->total = 1.0;
    for (Py_ssize_t number = 1; number < sum->count; number++) {
        Part part = sum->parts[number];
        Py_ssize_t at = number;
        for (; at > 0 && sum->parts[at - 1].weight * sum->parts[at - 1].most < part.weight * part.most; at--)
            sum->parts[at] = sum->parts[at - 1];
        sum->parts[at] = part;
    }
    sum->whole = (1.0 - rounding) * sum->total;
    /* Who holds everything has been found. */
    sum->whole = sum->whole > sum->bound ? sum->whole : sum->bound;
    return 0;
}

/* rank(weighed, least, heaviest, rounding, nothing, size, within, front): as front(), with what each holds as a share of all. ``front`` is None for
   everyone, else (wanted, enough, also, gains, many). */
static PyObject *rank(PyObject *module, PyObject *arguments)
{
    Sum sum = {.line = -INFINITY, .whole_line = -INFINITY};
    PyObject *parts, *within, *asked, *also, *gains, *answer = NULL;
    double least, rounding, nothing;
    Py_ssize_t heaviest;
    (void)module;
    if (!PyArg_ParseTuple(
            arguments, "OdnddnOO", &parts, &least, &heaviest, &rounding, &nothing, &sum.size, &within, &asked) ||
        read_sum(&sum, parts, within) < 0 || weigh(&sum, least, heaviest, rounding, nothing) < 0)
        goto end;
    if (asked == Py_None)
        answer = everyone_of(&sum);
    else if (PyArg_ParseTuple(asked, "nnOOn", &sum.wanted, &sum.enough, &also, &gains, &sum.many) && read_also(&sum, also, gains) == 0)
        answer = front_of(&sum);
end:
    release(&sum);
    return answer;
}

static PyMethodDef methods[] = {
    {"everyone", everyone, METH_VARARGS, "Every record that holds at least a bound: numbers, scores, what each holds."},
    {"front", front, METH_VARARGS, "The same of those in front alone, with how many more there are and how many hold everything."},
    {"rank", rank, METH_VARARGS, "Either of these, of terms as they were asked for."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, .m_name = "_summing", .m_doc = "The sums of summing.py in one pass.", .m_size = 0, .m_methods = methods,
};

PyMODINIT_FUNC PyInit__summing(void)
{
    return PyModule_Create(&definition);
}
