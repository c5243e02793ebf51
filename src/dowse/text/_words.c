/* Which words does an ASCII text hold? The same as `words` says in Python, in one pass over the letters. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <string.h>

/* As in `words`, which says why. */
enum { LONGEST_WORD = 128, STEP = LONGEST_WORD / 2, LONGEST_WHOLE = 80 };

/* A text that takes about a tenth of a millisecond; shorter ones are done before another thread could begin. */
#define LONG_TEXT 50000

enum { GAP, LOWER, UPPER, DIGIT, JOIN };
static unsigned char kinds[256];
static char lowered[256];

typedef struct {
    char *start, *end;
} Output;

/* Words are joined by single spaces. */
static inline void put(Output *out, const char *word, Py_ssize_t length)
{
    if (out->end != out->start)
        *out->end++ = ' ';
    for (Py_ssize_t at = 0; at < length; at++)
        *out->end++ = lowered[(unsigned char)word[at]];
}

/* A word between underscores; one that is too long as overlapping pieces. */
static void put_plain(Output *plain, const char *word, Py_ssize_t length)
{
    if (length <= LONGEST_WORD) {
        put(plain, word, length);
        return;
    }
    for (Py_ssize_t at = 0; at < length - STEP; at += STEP)
        put(plain, word + at, length - at < LONGEST_WORD ? length - at : LONGEST_WORD);
}

/* Where the part that begins at `at` ends: HTTPServer2 is HTTP, Server, 2. */
static Py_ssize_t part_end(const char *word, Py_ssize_t at, Py_ssize_t length)
{
    unsigned char kind = kinds[(unsigned char)word[at]];
    Py_ssize_t end = at + 1;
    while (end < length && kinds[(unsigned char)word[end]] == kind)
        end++;
    if (kind != UPPER || end == length || kinds[(unsigned char)word[end]] != LOWER)
        return end;
    /* The last capital before small letters is theirs. */
    if (end - at > 1)
        return end - 1;
    while (end < length && kinds[(unsigned char)word[end]] == LOWER)
        end++;
    return end;
}

static void put_parts(Output *alternates, const char *word, Py_ssize_t length)
{
    Py_ssize_t end = part_end(word, 0, length);
    if (end == length)
        return;
    for (Py_ssize_t at = 0; at < length; at = end) {
        end = part_end(word, at, length);
        put(alternates, word + at, end - at);
    }
}

/* Letters, digits and underscores that stand together. */
static void put_run(Output *plain, Output *alternates, const char *run, Py_ssize_t length)
{
    int is_short = length <= LONGEST_WHOLE, segments = 0;
    Py_ssize_t at = 0;
    while (at < length) {
        Py_ssize_t end = at;
        while (end < length && run[end] != '_')
            end++;
        if (end > at) {
            segments++;
            put_plain(plain, run + at, end - at);
            if (is_short)
                put_parts(alternates, run + at, end - at);
        }
        at = end + 1;
    }
    if (!is_short || segments < 2)
        return;
    put(alternates, run, 0);
    for (at = 0; at < length; at++)
        if (run[at] != '_')
            *alternates->end++ = lowered[(unsigned char)run[at]];
}

static void analyse(Output *plain, Output *alternates, const char *text, Py_ssize_t size)
{
    Py_ssize_t at = 0;
    while (at < size) {
        while (at < size && kinds[(unsigned char)text[at]] == GAP)
            at++;
        Py_ssize_t start = at;
        /* Most runs are words of small letters: copied as they are, and done. */
        while (at < size && kinds[(unsigned char)text[at]] == LOWER)
            at++;
        if (at > start && at - start <= LONGEST_WORD && (at == size || kinds[(unsigned char)text[at]] == GAP)) {
            if (plain->end != plain->start)
                *plain->end++ = ' ';
            memcpy(plain->end, text + start, at - start);
            plain->end += at - start;
            continue;
        }
        while (at < size && kinds[(unsigned char)text[at]] != GAP)
            at++;
        if (at > start)
            put_run(plain, alternates, text + start, at - start);
    }
}

static PyObject *analyse_ascii(PyObject *module, PyObject *given)
{
    (void)module;
    Py_ssize_t size;
    /* Of an ASCII text these are its own bytes, not a copy. */
    const char *text = PyUnicode_AsUTF8AndSize(given, &size);
    if (text == NULL)
        return NULL;
    if (PyUnicode_GetLength(given) != size) {
        PyErr_SetString(PyExc_ValueError, "not an ASCII text");
        return NULL;
    }
    if (size > (PY_SSIZE_T_MAX - 32) / 6)
        return PyErr_NoMemory();
    /* A long word's pieces are at most twice as many letters, and a space each. A run's parts are as many letters as it has, and
       at most as many spaces; so many letters again, and a space, its whole. */
    Py_ssize_t room = 3 * size + 16;
    char *memory = PyMem_Malloc(2 * room);
    if (memory == NULL)
        return PyErr_NoMemory();
    Output plain = {memory, memory}, alternates = {memory + room, memory + room};
    if (size < LONG_TEXT) {
        analyse(&plain, &alternates, text, size);
    } else {
        Py_BEGIN_ALLOW_THREADS
        analyse(&plain, &alternates, text, size);
        Py_END_ALLOW_THREADS
    }
    PyObject *made = Py_BuildValue(
        "(s#s#)", plain.start, plain.end - plain.start, alternates.start, alternates.end - alternates.start);
    PyMem_Free(memory);
    return made;
}

static PyMethodDef methods[] = {
    {"analyse_ascii", analyse_ascii, METH_O, "The plain words and the alternates of an ASCII text, each joined by spaces."},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_words", NULL, 0, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__words(void)
{
    for (int code = 0; code < 256; code++) {
        kinds[code] = code >= 'a' && code <= 'z'   ? LOWER
                      : code >= 'A' && code <= 'Z' ? UPPER
                      : code >= '0' && code <= '9' ? DIGIT
                      : code == '_'                ? JOIN
                                                   : GAP;
        lowered[code] = (char)(kinds[code] == UPPER ? code + 'a' - 'A' : code);
    }
    return PyModuleDef_Init(&definition);
}
