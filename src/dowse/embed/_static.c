/* The sum of the rows of an ASCII text's words: the same as static.py and wordpieces.py make in Python, without an object for every word.

   Sums are made in double precision and rounded once, here as there, so that neither the order of the words nor who adds them up can be
   told from a vector. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* The processor that is there decides, not the one it was compiled on. */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#define FOR_EACH_PROCESSOR __attribute__((target_clones("avx2", "default")))
#else
#define FOR_EACH_PROCESSOR
#endif

/* As in wordpieces.py, which says why. */
enum { LONGEST_WORD = 40 };
/* Places for the words of a text, of which at most half are used. */
enum { MOST_WORDS = 512, WORD_PLACES = 2048 };

#define FNV_START 0xcbf29ce484222325u
#define FNV_STEP(hash, byte) (((hash) ^ (unsigned char)(byte)) * 0x100000001b3u)

/* A piece of the vocabulary; without a length the place is free. */
typedef struct {
    uint64_t hash;
    const char *letters;
    uint32_t length, number;
} Piece;

typedef struct {
    PyObject_HEAD
    PyObject *vocabulary; /* owns the letters */
    Py_buffer rows, scale, damping;
    Piece *pieces;
    size_t room; /* a power of two */
    size_t longest;
    Py_ssize_t dimension;
} Adder;

/* A word of the text at hand, in small letters, and how often it stands there. */
typedef struct {
    uint64_t hash;
    const char *letters;
    uint32_t length, times;
} Word;

static inline size_t first_place(uint64_t hash, size_t room)
{
    return (hash ^ hash >> 32) & (room - 1);
}

/* The place of a piece, or the free one where it belongs. At least half of all places are free. */
static Piece *place_of(const Adder *adder, const char *mark, size_t marks, const char *letters, size_t length, uint64_t hash)
{
    for (size_t at = first_place(hash, adder->room);; at = (at + 1) & (adder->room - 1)) {
        Piece *piece = adder->pieces + at;
        if (!piece->length)
            return piece;
        if (piece->hash == hash && piece->length == marks + length && !memcmp(piece->letters, mark, marks) &&
            !memcmp(piece->letters + marks, letters, length))
            return piece;
    }
}

/* The pieces of a word, whole if the vocabulary has it, else the longest that fit; none if any part of it is unknown. */
static int pieces_of(const Adder *adder, const Word *word, uint32_t *numbers)
{
    const Piece *whole = place_of(adder, "", 0, word->letters, word->length, word->hash);
    if (whole->length) {
        numbers[0] = whole->number;
        return 1;
    }
    if (word->length > LONGEST_WORD)
        return 0;
    int count = 0;
    for (size_t start = 0; start < word->length;) {
        uint64_t hashes[LONGEST_WORD + 1];
        size_t marks = start ? 2 : 0, most = word->length - start < adder->longest ? word->length - start : adder->longest;
        hashes[0] = marks ? FNV_STEP(FNV_STEP(FNV_START, '#'), '#') : FNV_START;
        for (size_t at = 0; at < most; at++)
            hashes[at + 1] = FNV_STEP(hashes[at], word->letters[start + at]);
        size_t length = most;
        while (length) {
            const Piece *piece = place_of(adder, "##", marks, word->letters + start, length, hashes[length]);
            if (piece->length) {
                numbers[count++] = piece->number;
                break;
            }
            length--;
        }
        if (!length)
            return 0;
        start += length;
    }
    return count;
}

static inline int is_lower(char letter) { return letter >= 'a' && letter <= 'z'; }
static inline int is_upper(char letter) { return letter >= 'A' && letter <= 'Z'; }
static inline int is_digit(char letter) { return letter >= '0' && letter <= '9'; }

/* Where the word that begins here ends: getUserById, HTTPServer and URLs fall apart as a reader would take them apart. */
static const char *word_end(const char *at, const char *end)
{
    const char *start = at;
    if (is_digit(*at)) {
        while (at < end && is_digit(*at))
            at++;
        return at;
    }
    while (at < end && is_upper(*at))
        at++;
    if (at == end || !is_lower(*at))
        return at;
    if (at - start > 1)
        /* The last capital before small letters is theirs, but for the s of several. */
        return *at == 's' && (at + 1 == end || !is_lower(at[1])) ? at + 1 : at - 1;
    while (at < end && is_lower(*at))
        at++;
    return at;
}

/* Counts the first words of a text in `words`, which has room for more than so many; `lowered` has room for its letters. */
static void count_words(const char *at, const char *end, int most, Word *words, uint16_t *used, int *distinct, char *lowered)
{
    *distinct = 0;
    for (int found = 0; found < most; found++) {
        while (at < end && !is_lower(*at) && !is_upper(*at) && !is_digit(*at))
            at++;
        if (at == end)
            return;
        const char *last = word_end(at, end);
        size_t length = (size_t)(last - at);
        uint64_t hash = FNV_START;
        for (size_t place = 0; place < length; place++) {
            lowered[place] = (char)(is_upper(at[place]) ? at[place] + 'a' - 'A' : at[place]);
            hash = FNV_STEP(hash, lowered[place]);
        }
        size_t place = first_place(hash, WORD_PLACES);
        while (words[place].times &&
               !(words[place].hash == hash && words[place].length == length && !memcmp(words[place].letters, lowered, length)))
            place = (place + 1) & (WORD_PLACES - 1);
        if (words[place].times) {
            words[place].times++;
        } else {
            words[place] = (Word){hash, lowered, (uint32_t)length, 1};
            used[(*distinct)++] = (uint16_t)place;
            lowered += length;
        }
        at = last;
    }
}

FOR_EACH_PROCESSOR
static void add_row(double *sum, const int8_t *row, double share, Py_ssize_t dimension)
{
    for (Py_ssize_t at = 0; at < dimension; at++)
        sum[at] += share * row[at];
}

static void add_text(
    const Adder *adder, const char *text, const char *end, int most, Word *words, char *lowered, double *sum, float *vector)
{
    uint16_t used[MOST_WORDS];
    uint32_t numbers[LONGEST_WORD];
    int distinct;
    const int8_t *rows = adder->rows.buf;
    const float *scale = adder->scale.buf, *damping = adder->damping.buf;
    memset(sum, 0, (size_t)adder->dimension * sizeof(double));
    count_words(text, end, most, words, used, &distinct, lowered);
    for (int at = 0; at < distinct; at++) {
        Word *word = words + used[at];
        int count = pieces_of(adder, word, numbers);
        for (int piece = 0; piece < count; piece++) {
            uint32_t number = numbers[piece];
            double share = scale[number];
            if (word->times > 1)
                share *= pow(word->times, damping[number]);
            add_row(sum, rows + (size_t)number * (size_t)adder->dimension, share, adder->dimension);
        }
        word->times = 0;
    }
    for (Py_ssize_t at = 0; at < adder->dimension; at++)
        vector[at] = (float)sum[at];
}

typedef struct {
    const char *start, *end;
} Text;

static PyObject *add_up(PyObject *self, PyObject *arguments)
{
    Adder *adder = (Adder *)self;
    PyObject *given, *array, *texts, *done = NULL;
    int most;
    if (!PyArg_ParseTuple(arguments, "OiO", &given, &most, &array))
        return NULL;
    if (most < 0 || most > MOST_WORDS) {
        PyErr_SetString(PyExc_ValueError, "too many words of a text");
        return NULL;
    }
    /* A tuple of our own keeps the texts while others may run. */
    texts = PySequence_Tuple(given);
    if (texts == NULL)
        return NULL;
    Py_buffer vectors;
    if (PyObject_GetBuffer(array, &vectors, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE) < 0) {
        Py_DECREF(texts);
        return NULL;
    }
    Py_ssize_t count = PyTuple_Size(texts), longest = 0;
    Text *places = NULL;
    Word *words = NULL;
    char *lowered = NULL;
    double *sum = NULL;
    if (vectors.itemsize != sizeof(float) || vectors.len / (Py_ssize_t)sizeof(float) / adder->dimension != count ||
        vectors.len != count * adder->dimension * (Py_ssize_t)sizeof(float)) {
        PyErr_SetString(PyExc_ValueError, "not a row of single precision for each text");
        goto end;
    }
    places = PyMem_Calloc((size_t)count + 1, sizeof(Text));
    if (places == NULL) {
        PyErr_NoMemory();
        goto end;
    }
    for (Py_ssize_t at = 0; at < count; at++) {
        PyObject *text = PyTuple_GetItem(texts, at);
        Py_ssize_t size;
        const char *letters = PyUnicode_AsUTF8AndSize(text, &size);
        if (letters == NULL)
            goto end;
        if (PyUnicode_GetLength(text) != size) {
            PyErr_SetString(PyExc_ValueError, "not an ASCII text");
            goto end;
        }
        places[at] = (Text){letters, letters + size};
        longest = size > longest ? size : longest;
    }
    words = PyMem_Calloc(WORD_PLACES, sizeof(Word));
    lowered = PyMem_Malloc((size_t)longest + 1);
    sum = PyMem_Calloc((size_t)adder->dimension, sizeof(double));
    if (words == NULL || lowered == NULL || sum == NULL) {
        PyErr_NoMemory();
        goto end;
    }
    Py_BEGIN_ALLOW_THREADS
    float *vector = vectors.buf;
    for (Py_ssize_t at = 0; at < count; at++, vector += adder->dimension)
        add_text(adder, places[at].start, places[at].end, most, words, lowered, sum, vector);
    Py_END_ALLOW_THREADS
    Py_INCREF(Py_None);
    done = Py_None;
end:
    PyMem_Free(places);
    PyMem_Free(words);
    PyMem_Free(lowered);
    PyMem_Free(sum);
    PyBuffer_Release(&vectors);
    Py_DECREF(texts);
    return done;
}

/* The pieces of a vocabulary, a line each; of equal ones the last counts. */
static int read_vocabulary(Adder *adder, Py_ssize_t count)
{
    char *at;
    Py_ssize_t size;
    if (PyBytes_AsStringAndSize(adder->vocabulary, &at, &size) < 0)
        return 0;
    adder->room = 16;
    while (adder->room < (size_t)count * 2 + 2)
        adder->room *= 2;
    adder->pieces = PyMem_Calloc(adder->room, sizeof(Piece));
    if (adder->pieces == NULL) {
        PyErr_NoMemory();
        return 0;
    }
    const char *end = at + size;
    for (Py_ssize_t number = 0; number < count; number++) {
        const char *line = at <= end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
        if (line == NULL)
            line = end;
        if (at > end || line - at > UINT32_MAX || (number == count - 1) != (line == end)) {
            PyErr_SetString(PyExc_ValueError, "not a line for each row");
            return 0;
        }
        size_t length = (size_t)(line - at);
        uint64_t hash = FNV_START;
        for (size_t place = 0; place < length; place++)
            hash = FNV_STEP(hash, at[place]);
        if (length)
            *place_of(adder, "", 0, at, length, hash) = (Piece){hash, at, (uint32_t)length, (uint32_t)number};
        adder->longest = length > adder->longest ? length : adder->longest;
        at = (char *)line + 1;
    }
    /* A word that is longer is not taken apart. */
    adder->longest = adder->longest > LONGEST_WORD ? LONGEST_WORD : adder->longest;
    return 1;
}

/* The memory of an array, if it is what it must be: contiguous, of so many bytes a number. */
static int lent(PyObject *array, Py_buffer *buffer, Py_ssize_t itemsize)
{
    if (PyObject_GetBuffer(array, buffer, PyBUF_C_CONTIGUOUS) < 0)
        return 0;
    if (buffer->itemsize == itemsize)
        return 1;
    PyErr_SetString(PyExc_ValueError, "numbers of another size");
    return 0;
}

static PyObject *make(PyTypeObject *type, PyObject *arguments, PyObject *names)
{
    PyObject *vocabulary, *rows, *scale, *damping;
    if (names != NULL && PyDict_Size(names)) {
        PyErr_SetString(PyExc_TypeError, "by place alone");
        return NULL;
    }
    if (!PyArg_ParseTuple(arguments, "SOOO", &vocabulary, &rows, &scale, &damping))
        return NULL;
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    Adder *adder = (Adder *)allocate(type, 0);
    if (adder == NULL)
        return NULL;
    Py_INCREF(vocabulary);
    adder->vocabulary = vocabulary;
    if (!lent(rows, &adder->rows, 1) || !lent(scale, &adder->scale, 4) || !lent(damping, &adder->damping, 4))
        goto failed;
    Py_ssize_t count = adder->scale.len / 4;
    if (count < 1 || count > UINT32_MAX || adder->damping.len / 4 != count || adder->rows.len < count || adder->rows.len % count) {
        PyErr_SetString(PyExc_ValueError, "not as many rows as scales");
        goto failed;
    }
    adder->dimension = adder->rows.len / count;
    if (read_vocabulary(adder, count))
        return (PyObject *)adder;
failed:
    Py_DECREF(adder);
    return NULL;
}

static void release(PyObject *self)
{
    Adder *adder = (Adder *)self;
    PyTypeObject *type = Py_TYPE(self);
    /* Of a buffer that nobody lent this does nothing. */
    PyBuffer_Release(&adder->rows);
    PyBuffer_Release(&adder->scale);
    PyBuffer_Release(&adder->damping);
    PyMem_Free(adder->pieces);
    Py_XDECREF(adder->vocabulary);
    freefunc free_memory = (freefunc)PyType_GetSlot(type, Py_tp_free);
    free_memory(self);
    Py_DECREF(type);
}

static PyMethodDef methods[] = {
    {"add_up", add_up, METH_VARARGS, "Sets each row to the sum of the rows of an ASCII text's first words."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "A vocabulary, a line a piece, and a row, a scale and a damping for each."},
    {Py_tp_new, make},
    {Py_tp_methods, methods},
    {Py_tp_dealloc, release},
    {0, NULL},
};

static PyType_Spec spec = {"dowse.embed._static.Adder", sizeof(Adder), 0, Py_TPFLAGS_DEFAULT, slots};

static int fill(PyObject *module)
{
    PyObject *type = PyType_FromSpec(&spec);
    if (type == NULL)
        return -1;
    int added = PyModule_AddObjectRef(module, "Adder", type);
    Py_DECREF(type);
    return added;
}

static PyModuleDef_Slot filling[] = {{Py_mod_exec, fill}, {0, NULL}};

static PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_static", NULL, 0, NULL, filling, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__static(void)
{
    return PyModuleDef_Init(&definition);
}
