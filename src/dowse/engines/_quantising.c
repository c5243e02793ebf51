/* The same as in quantising.py, without an array for every step: which places may hold what is closest, and how close whole rows are.

   Nothing here is rounded: how far a sketch is off is a sum of small whole numbers, and products are sums of whole numbers below 2^24,
   which single precision and int32 hold alike. So it does not matter who computes them, in which order, and how many share the work.

   A call takes a fraction of a millisecond, and a question makes dozens: giving the interpreter's lock away each time would make it wait
   for its turn as often. Only who looks through millions gives it away. */

#include <Python.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define WIDE __attribute__((target("avx512f,avx512bw,avx512vl,avx512vpopcntdq")))
#endif

enum {
    WORDS = 8,
    /* No sketch is further off than by all its bits at three each. */
    NOWHERE = WORDS * 64 * 3 + 1,
    /* Places that are gone through in one go; a block has no more. */
    AT_ONCE = 1024,
    /* Places of which a wide register holds a word each, or how far off they are. */
    SIDE_BY_SIDE = 8,
    TOGETHER = 32,
    /* Blocks in which one in that many is wanted are compared whole. */
    SPARSE = 8,
    /* From so many places on others may have the interpreter meanwhile. */
    LONG = 1 << 21,
    /* Rows that are on their way from memory while one is compared. */
    AHEAD = 12,
};

/* The processor that is there decides, not the one it was compiled on. */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#define FOR_EACH_PROCESSOR __attribute__((target_clones("arch=icelake-server", "avx2", "popcnt", "default")))
#else
#define FOR_EACH_PROCESSOR
#endif

#if defined(__GNUC__)
#define SOON(address) __builtin_prefetch(address)
#else
#define SOON(address) ((void)(address))
static int __builtin_popcountll(uint64_t word)
{
    int count = 0;
    for (; word; word &= word - 1)
        count++;
    return count;
}
#endif

/* The sketch that is asked for, and what each bit counts, in two bits. */
typedef struct {
    uint64_t sketch[WORDS], once[WORDS], twice[WORDS];
} Asked;

/* Neighbouring places: whose each is, and the sketches, of which one word of all in a block lies side by side. */
typedef struct {
    Py_buffer owners, sketches;
    Py_ssize_t places, block;
} Segment;

/* What may be among the closest of all that was gone through. */
typedef struct {
    const uint8_t *allowed;
    Py_ssize_t records, most, size, room;
    const Asked *asked;
    int64_t *places;
    uint16_t *far;
    /* How many are how far off, of those that are kept; nobody further than this comes into question. */
    Py_ssize_t levels[NOWHERE + 1];
    int bound;
} Found;

/* What has become of it. */
typedef enum { FINE, NO_MEMORY, FOREIGN } Outcome;

/* How far off each place of a block is, from one on for so many. */
typedef void (*Measure)(const uint64_t *sketches, Py_ssize_t block, const Asked *asked, Py_ssize_t from, Py_ssize_t count, uint16_t *far);

FOR_EACH_PROCESSOR
static void measure(const uint64_t *sketches, Py_ssize_t block, const Asked *asked, Py_ssize_t from, Py_ssize_t count, uint16_t *far)
{
    for (Py_ssize_t at = from; at < from + count; at++) {
        const uint64_t *word = sketches + at;
        uint64_t once = 0, twice = 0;
        for (int number = 0; number < WORDS; number++, word += block) {
            uint64_t differing = *word ^ asked->sketch[number];
            once += (uint64_t)__builtin_popcountll(differing & asked->once[number]);
            twice += (uint64_t)__builtin_popcountll(differing & asked->twice[number]);
        }
        far[at] = (uint16_t)(once + 2 * twice);
    }
}

#if defined(WIDE)
/* The same for some places at once: what a compiler makes of the above takes four times as long. */
WIDE static void measure_wide(
    const uint64_t *sketches, Py_ssize_t block, const Asked *asked, Py_ssize_t from, Py_ssize_t count, uint16_t *far)
{
    enum { DIFFERS_AND_COUNTS = 0x28 };
    Py_ssize_t at = from - from % SIDE_BY_SIDE;
    for (; at < from + count; at += SIDE_BY_SIDE) {
        __m512i once = _mm512_setzero_si512(), twice = once;
        for (int number = 0; number < WORDS; number++) {
            __m512i word = _mm512_loadu_si512(sketches + number * block + at), wanted = _mm512_set1_epi64((long long)asked->sketch[number]);
            __m512i one = _mm512_set1_epi64((long long)asked->once[number]), two = _mm512_set1_epi64((long long)asked->twice[number]);
            once = _mm512_add_epi64(once, _mm512_popcnt_epi64(_mm512_ternarylogic_epi64(word, wanted, one, DIFFERS_AND_COUNTS)));
            twice = _mm512_add_epi64(twice, _mm512_popcnt_epi64(_mm512_ternarylogic_epi64(word, wanted, two, DIFFERS_AND_COUNTS)));
        }
        once = _mm512_add_epi64(once, _mm512_add_epi64(twice, twice));
        _mm_storeu_si128((void *)(far + at), _mm512_cvtepi64_epi16(once));
    }
}
#endif

/* Keeps those of a block that may come into question. */
typedef void (*Pick)(Found *found, const uint16_t *far, const uint8_t *inside, Py_ssize_t block, int64_t first);

static inline void keep(Found *found, int64_t place, uint16_t far)
{
    found->places[found->size] = place;
    found->far[found->size++] = far;
    found->levels[far]++;
}

static void pick(Found *found, const uint16_t *far, const uint8_t *inside, Py_ssize_t block, int64_t first)
{
    for (Py_ssize_t at = 0; at < block; at++)
        if (inside[at] && far[at] <= found->bound)
            keep(found, first + at, far[at]);
}

#if defined(WIDE)
WIDE static void pick_wide(Found *found, const uint16_t *far, const uint8_t *inside, Py_ssize_t block, int64_t first)
{
    const __m512i bound = _mm512_set1_epi16((short)found->bound);
    for (Py_ssize_t at = 0; at < block; at += TOGETHER) {
        uint32_t near = _mm512_cmple_epu16_mask(_mm512_loadu_si512(far + at), bound);
        for (near &= _mm256_test_epi8_mask(_mm256_loadu_si256((const void *)(inside + at)), _mm256_set1_epi8(1)); near; near &= near - 1) {
            Py_ssize_t here = at + __builtin_ctz(near);
            keep(found, first + here, far[here]);
        }
    }
}
#endif

/* Drops whoever is too far off, once enough are nearer. */
static void tighten(Found *found)
{
    Py_ssize_t nearer = 0, kept = 0;
    int bound = 0;
    while (bound < NOWHERE && (nearer += found->levels[bound]) < found->most)
        bound++;
    for (Py_ssize_t at = 0; at < found->size; at++)
        if (found->far[at] <= bound) {
            found->places[kept] = found->places[at];
            found->far[kept++] = found->far[at];
        }
    memset(found->levels + bound + 1, 0, (size_t)(NOWHERE - bound) * sizeof *found->levels);
    found->size = kept;
    found->bound = bound;
}

static int make_room(Found *found, Py_ssize_t more)
{
    if (found->size + more <= found->room)
        return 1;
    Py_ssize_t room = (found->size + more) * 2;
    int64_t *places = realloc(found->places, (size_t)room * sizeof *places);
    if (places)
        found->places = places;
    uint16_t *far = realloc(found->far, (size_t)room * sizeof *far);
    if (far)
        found->far = far;
    if (!places || !far)
        return 0;
    found->room = room;
    return 1;
}

FOR_EACH_PROCESSOR
static int are_records(const int32_t *owners, Py_ssize_t size, Py_ssize_t records)
{
    int32_t least = 0, most = 0;
    for (Py_ssize_t at = 0; at < size; at++) {
        least = owners[at] < least ? owners[at] : least;
        most = owners[at] > most ? owners[at] : most;
    }
    return least >= 0 && (size == 0 || most < records);
}

/* Whether the record of each place may answer; returns how many do. */
FOR_EACH_PROCESSOR
static Py_ssize_t look_up(const int32_t *owners, Py_ssize_t size, const uint8_t *allowed, uint8_t *inside)
{
    Py_ssize_t wanted = 0;
    for (Py_ssize_t at = 0; at < size; at++)
        inside[at] = allowed[owners[at]];
    for (Py_ssize_t at = 0; at < size; at++)
        wanted += inside[at];
    return wanted;
}

/* Where few are wanted, the others are not even looked at; these are fetched before they are needed. */
static void fetch(const uint64_t *sketches, Py_ssize_t block, const uint8_t *inside)
{
    for (Py_ssize_t at = 0; at < block; at++)
        if (inside[at])
            for (int number = 0; number < WORDS; number++)
                SOON(sketches + number * block + at);
}

static Outcome go_through(Found *found, const Segment *segment, int64_t base)
{
    const int32_t *owners = segment->owners.buf;
    const uint64_t *sketches = segment->sketches.buf;
    Py_ssize_t block = segment->block, blocks = AT_ONCE / block, wanted[AT_ONCE];
    uint8_t inside[AT_ONCE];
    uint16_t far[AT_ONCE];
    Measure measured = measure;
    Pick picked = pick;
#if defined(WIDE)
    if (block % TOGETHER == 0 && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vpopcntdq")) {
        measured = measure_wide;
        picked = pick_wide;
    }
#endif
    for (Py_ssize_t start = 0; start < segment->places; start += blocks * block) {
        if (segment->places - start < blocks * block)
            blocks = (segment->places - start) / block;
        if (!are_records(owners + start, blocks * block, found->records))
            return FOREIGN;
        if (!make_room(found, AT_ONCE))
            return NO_MEMORY;
        for (Py_ssize_t number = 0; number < blocks; number++) {
            Py_ssize_t first = number * block;
            wanted[number] = look_up(owners + start + first, block, found->allowed, inside + first);
            if (wanted[number] && wanted[number] * SPARSE < block)
                fetch(sketches + (start + first) * WORDS, block, inside + first);
        }
        for (Py_ssize_t number = 0; number < blocks; number++) {
            Py_ssize_t first = number * block;
            const uint64_t *here = sketches + (start + first) * WORDS;
            if (!wanted[number])
                continue;
            if (wanted[number] * SPARSE >= block)
                measured(here, block, found->asked, 0, block, far);
            else
                for (Py_ssize_t at = 0; at < block; at++)
                    if (inside[first + at])
                        measured(here, block, found->asked, at, 1, far);
            picked(found, far, inside + first, block, base + start + first);
        }
        if (found->size > 2 * found->most + AT_ONCE)
            tighten(found);
    }
    return FINE;
}

static Outcome find(Found *found, const Segment *segments, Py_ssize_t count)
{
    Outcome outcome = FINE;
    int64_t base = 0;
    for (Py_ssize_t number = 0; number < count && outcome == FINE; base += segments[number++].places)
        outcome = go_through(found, &segments[number], base);
    tighten(found);
    return outcome;
}

/* The memory of an array, if it is what it must be: contiguous, of so many bytes a number. */
static int lent(PyObject *array, Py_buffer *buffer, Py_ssize_t itemsize, int flags)
{
    if (PyObject_GetBuffer(array, buffer, PyBUF_C_CONTIGUOUS | flags) < 0)
        return 0;
    if (buffer->itemsize == itemsize && buffer->len % itemsize == 0)
        return 1;
    PyBuffer_Release(buffer);
    PyErr_SetString(PyExc_ValueError, "an array has numbers of another size");
    return 0;
}

static void give_back(Py_buffer *buffers, int count)
{
    while (count--)
        PyBuffer_Release(&buffers[count]);
}

static void *apart(void)
{
    PyErr_SetString(PyExc_ValueError, "the arrays do not belong together");
    return NULL;
}

static int segment_of(PyObject *pair, Segment *segment)
{
    PyObject *owners, *sketches;
    if (!PyArg_ParseTuple(pair, "OO", &owners, &sketches) || !lent(owners, &segment->owners, 4, 0))
        return 0;
    segment->places = segment->owners.len / 4;
    if (lent(sketches, &segment->sketches, 8, 0)) {
        const Py_buffer *given = &segment->sketches;
        segment->block = given->ndim == 3 ? given->shape[2] : 0;
        if (segment->block > 0 && segment->block <= AT_ONCE && given->shape[1] == WORDS &&
            given->shape[0] * segment->block == segment->places)
            return 1;
        PyBuffer_Release(&segment->sketches);
        apart();
    }
    PyBuffer_Release(&segment->owners);
    return 0;
}

static PyObject *search(const Segment *segments, Py_ssize_t count, const Py_buffer *allowed, const Asked *asked, Py_ssize_t most)
{
    Found *found = PyMem_Calloc(1, sizeof *found);
    PyObject *answer = NULL;
    Py_ssize_t places = 0;
    Outcome outcome;
    if (!found)
        return PyErr_NoMemory();
    *found = (Found){.allowed = allowed->buf, .records = allowed->len, .most = most, .asked = asked, .bound = NOWHERE};
    for (Py_ssize_t number = 0; number < count; number++)
        places += segments[number].places;
    if (places >= LONG) {
        Py_BEGIN_ALLOW_THREADS
        outcome = find(found, segments, count);
        Py_END_ALLOW_THREADS
    } else
        outcome = find(found, segments, count);
    if (outcome == FINE)
        answer = PyBytes_FromStringAndSize((char *)found->places, found->size * (Py_ssize_t)sizeof *found->places);
    else if (outcome == FOREIGN)
        PyErr_SetString(PyExc_IndexError, "a vector belongs to a record that is not there");
    else
        PyErr_NoMemory();
    free(found->places);
    free(found->far);
    PyMem_Free(found);
    return answer;
}

PyDoc_STRVAR(candidates_doc,
             "candidates(segments, allowed, asked, most)\n\n"
             "The places of vectors whose record may answer and that are no further off than most of these, ascending, as bytes.");

static PyObject *candidates(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *listed, *allowed, *asked, *found = NULL;
    Py_ssize_t most, got = 0;
    Py_buffer memory[2];
    if (!PyArg_ParseTuple(arguments, "O!OOn", &PyTuple_Type, &listed, &allowed, &asked, &most) ||
        !lent(allowed, &memory[0], 1, 0))
        return NULL;
    if (!lent(asked, &memory[1], 8, 0)) {
        give_back(memory, 1);
        return NULL;
    }
    Py_ssize_t count = PyTuple_Size(listed);
    Segment *segments = PyMem_Malloc((size_t)(count ? count : 1) * sizeof *segments);
    if (!segments)
        PyErr_NoMemory();
    else if (memory[1].len != (Py_ssize_t)sizeof(Asked))
        apart();
    else {
        while (got < count && segment_of(PyTuple_GetItem(listed, got), &segments[got]))
            got++;
        if (got == count)
            found = search(segments, count, &memory[0], memory[1].buf, most);
    }
    while (got--) {
        PyBuffer_Release(&segments[got].sketches);
        PyBuffer_Release(&segments[got].owners);
    }
    PyMem_Free(segments);
    give_back(memory, 2);
    return found;
}

/* Of whole numbers in two bytes the sum of two products is one step of the processor. */
FOR_EACH_PROCESSOR
static int32_t product(const int8_t *row, const int16_t *asked, Py_ssize_t dimension)
{
    int32_t sum = 0;
    for (Py_ssize_t at = 0; at < dimension; at++)
        sum += row[at] * asked[at];
    return sum;
}

/* Those of few numbers are larger than that. */
static int32_t long_product(const int8_t *row, const float *asked, Py_ssize_t dimension)
{
    int32_t sum = 0;
    for (Py_ssize_t at = 0; at < dimension; at++)
        sum += row[at] * (int32_t)asked[at];
    return sum;
}

static void compare(const int8_t *values, Py_ssize_t dimension, const int64_t *places, Py_ssize_t count, const float *asked,
                    int16_t *small, float *out)
{
    int fits = 1;
    for (Py_ssize_t at = 0; at < dimension; at++) {
        fits &= asked[at] >= INT16_MIN && asked[at] <= INT16_MAX;
        small[at] = fits ? (int16_t)asked[at] : 0;
    }
    for (Py_ssize_t at = 0; at < count; at++) {
        if (at + AHEAD < count)
            for (Py_ssize_t line = 0; line < dimension; line += 64)
                SOON(values + places[at + AHEAD] * dimension + line);
        const int8_t *row = values + places[at] * dimension;
        out[at] = (float)(fits ? product(row, small, dimension) : long_product(row, asked, dimension));
    }
}

PyDoc_STRVAR(products_doc,
             "products(values, places, asked, out)\n\n"
             "Of the rows of small whole numbers at some places with the whole numbers asked for.");

static PyObject *products(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    static const Py_ssize_t sizes[] = {1, 8, 4, 4};
    static const int flags[] = {0, 0, 0, PyBUF_WRITABLE};
    PyObject *arrays[4];
    Py_buffer memory[4];
    if (!PyArg_ParseTuple(arguments, "OOOO", &arrays[0], &arrays[1], &arrays[2], &arrays[3]))
        return NULL;
    for (int at = 0; at < 4; at++)
        if (!lent(arrays[at], &memory[at], sizes[at], flags[at])) {
            give_back(memory, at);
            return NULL;
        }
    Py_ssize_t dimension = memory[2].len / 4, count = memory[1].len / 8;
    Py_ssize_t rows = dimension ? memory[0].len / dimension : 0;
    const int64_t *places = memory[1].buf;
    int fits = memory[3].len == count * 4 && memory[0].len == rows * dimension;
    for (Py_ssize_t at = 0; fits && at < count; at++)
        fits = places[at] >= 0 && places[at] < rows;
    int16_t *small = fits ? PyMem_Malloc((size_t)(dimension ? dimension : 1) * sizeof *small) : NULL;
    if (small)
        compare(memory[0].buf, dimension, places, count, memory[2].buf, small, memory[3].buf);
    give_back(memory, 4);
    if (!fits)
        return apart();
    if (!small)
        return PyErr_NoMemory();
    PyMem_Free(small);
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"candidates", candidates, METH_VARARGS, candidates_doc},
    {"products", products, METH_VARARGS, products_doc},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_quantising", NULL, 0, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__quantising(void)
{
    return PyModuleDef_Init(&definition);
}
