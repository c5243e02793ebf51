/* How does a short text take little room? As zlib does it, whose streams these are, without making ready for a long one each time.

   A stream is one block with the codes that deflate has fixed; it begins with what was known before, which a `Packer` has looked
   through once for all texts. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

enum {
    WINDOW_BITS = 13,
    WINDOW = 1 << WINDOW_BITS, /* What is known, the key and the text, together. */
    PLACES = 1 << 12,
    SHORTEST = 4,
    LONGEST = 258,
    TRIES = 4,      /* Earlier places that are looked at for the longest match, as zlib's fastest level does. */
    LONG_ENOUGH = 32 /* A match after which no better one is looked for. */
};

/* Where a hash was seen last, and before that; a place is a number from 1. */
typedef struct {
    uint16_t last[PLACES];
    uint16_t before[WINDOW + 1];
} Places;

typedef struct {
    PyObject_HEAD
    Py_ssize_t known;
    uint32_t sum; /* over what is known */
    unsigned char letters[WINDOW];
    Places places;
} Packer;

/* Codes with their bits turned around, as they go into the stream, and how many there are. */
static uint16_t letter_codes[288], distance_codes[30];
static unsigned char letter_bits[288];
static unsigned char length_code[LONGEST + 1];
static const uint16_t length_base[29] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                         31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
static const unsigned char length_more[29] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
static const uint16_t distance_base[30] = {1,   2,   3,   4,   5,   7,    9,    13,   17,   25,   33,   49,   65,    97,    129,
                                           193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
static const unsigned char distance_more[30] = {0, 0, 0, 0, 1, 1, 2, 2,  3,  3,  4,  4,  5,  5,  6,
                                                6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13};
static unsigned char distance_code[WINDOW + 1];

typedef struct {
    unsigned char *to;
    uint64_t bits;
    int count;
} Stream;

static inline void put(Stream *stream, uint32_t bits, int count)
{
    stream->bits |= (uint64_t)bits << stream->count;
    for (stream->count += count; stream->count >= 8; stream->count -= 8, stream->bits >>= 8)
        *stream->to++ = (unsigned char)stream->bits;
}

static inline unsigned hash_of(const unsigned char *at)
{
    uint32_t four;
    memcpy(&four, at, 4);
    return four * 2654435761u >> 20;
}

static inline void enter(Places *places, const unsigned char *letters, Py_ssize_t at)
{
    unsigned hash = hash_of(letters + at);
    places->before[at + 1] = places->last[hash];
    places->last[hash] = (uint16_t)(at + 1);
}

static uint32_t sum_over(uint32_t sum, const unsigned char *letters, Py_ssize_t length)
{
    uint32_t low = sum & 0xffff, high = sum >> 16;
    /* So many letters at most that neither overflows. */
    for (Py_ssize_t at = 0; at < length;) {
        Py_ssize_t end = length - at < 5000 ? length : at + 5000;
        for (; at < end; at++)
            high += low += letters[at];
        low %= 65521, high %= 65521;
    }
    return high << 16 | low;
}

static Py_ssize_t length_of_match(const unsigned char *one, const unsigned char *other, Py_ssize_t most)
{
    Py_ssize_t length = 0;
    while (length < most && one[length] == other[length])
        length++;
    return length;
}

static void pack_letters(Stream *stream, Places *places, const unsigned char *letters, Py_ssize_t at, Py_ssize_t end)
{
    while (at < end) {
        Py_ssize_t most = end - at < LONGEST ? end - at : LONGEST, best = 0, from = 0;
        if (most >= SHORTEST) {
            int tries = TRIES;
            for (unsigned place = places->last[hash_of(letters + at)]; place && tries--; place = places->before[place]) {
                Py_ssize_t length = length_of_match(letters + place - 1, letters + at, most);
                if (length > best) {
                    best = length, from = at - (place - 1);
                    if (length >= LONG_ENOUGH)
                        break;
                }
            }
        }
        if (best < SHORTEST) {
            put(stream, letter_codes[letters[at]], letter_bits[letters[at]]);
            if (end - at >= SHORTEST)
                enter(places, letters, at);
            at++;
            continue;
        }
        int code = length_code[best], far = distance_code[from];
        put(stream, letter_codes[257 + code], letter_bits[257 + code]);
        put(stream, (uint32_t)(best - length_base[code]), length_more[code]);
        put(stream, distance_codes[far], 5);
        put(stream, (uint32_t)(from - distance_base[far]), distance_more[far]);
        for (Py_ssize_t past = at + best; at < past; at++)
            if (end - at >= SHORTEST)
                enter(places, letters, at);
    }
}

static void put_number(Stream *stream, uint32_t number)
{
    for (int bits = 24; bits >= 0; bits -= 8)
        *stream->to++ = (unsigned char)(number >> bits);
}

static PyObject *packed(PyObject *self, PyObject *arguments)
{
    Packer *packer = (Packer *)self;
    const char *key, *text;
    Py_ssize_t key_length, length;
    if (!PyArg_ParseTuple(arguments, "y#y#", &key, &key_length, &text, &length))
        return NULL;
    if (key_length > WINDOW - packer->known || length > WINDOW - packer->known - key_length) {
        PyErr_SetString(PyExc_ValueError, "too long");
        return NULL;
    }
    /* What is known stays; what follows it here is another text's each time, and its places are entered before they are followed. */
    unsigned char *letters = packer->letters;
    static Places places; /* Whoever is here holds the interpreter's lock. */
    memcpy(places.last, packer->places.last, sizeof places.last);
    memcpy(places.before, packer->places.before, (packer->known + 1) * sizeof places.before[0]);
    memcpy(letters + packer->known, key, key_length);
    Py_ssize_t start = packer->known + key_length, end = start + length;
    memcpy(letters + start, text, length);
    Py_ssize_t last = end - SHORTEST;
    for (Py_ssize_t at = packer->known > SHORTEST - 1 ? packer->known - (SHORTEST - 1) : 0; at < start && at <= last; at++)
        enter(&places, letters, at);
    /* A letter takes nine bits at most, a match less than its letters. */
    PyObject *made = PyBytes_FromStringAndSize(NULL, length + length / 8 + 32);
    if (made == NULL)
        return NULL;
    unsigned char *begin = (unsigned char *)PyBytes_AsString(made);
    Stream stream = {begin, 0, 0};
    unsigned head = ((WINDOW_BITS - 8) << 4 | 8) << 8 | 0x20;
    head += 31 - head % 31;
    *stream.to++ = (unsigned char)(head >> 8), *stream.to++ = (unsigned char)head;
    put_number(&stream, sum_over(packer->sum, (const unsigned char *)key, key_length));
    put(&stream, 1 | 1 << 1, 3);
    pack_letters(&stream, &places, letters, start, end);
    put(&stream, letter_codes[256], letter_bits[256]);
    if (stream.count)
        put(&stream, 0, 8 - stream.count);
    put_number(&stream, sum_over(1, (const unsigned char *)text, length));
    PyObject *whole = PyBytes_FromStringAndSize((const char *)begin, stream.to - begin);
    Py_DECREF(made);
    return whole;
}

static PyObject *make(PyTypeObject *type, PyObject *arguments, PyObject *named)
{
    const char *known;
    Py_ssize_t length;
    static char *names[] = {"known", NULL};
    if (!PyArg_ParseTupleAndKeywords(arguments, named, "y#", names, &known, &length))
        return NULL;
    if (length > WINDOW / 2) {
        PyErr_SetString(PyExc_ValueError, "too long");
        return NULL;
    }
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    Packer *packer = (Packer *)allocate(type, 0);
    if (packer == NULL)
        return NULL;
    packer->known = length;
    packer->sum = sum_over(1, (const unsigned char *)known, length);
    memcpy(packer->letters, known, length);
    for (Py_ssize_t at = 0; at + SHORTEST <= length; at++)
        enter(&packer->places, packer->letters, at);
    return (PyObject *)packer;
}

static void forget(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

static PyMethodDef methods[] = {
    {"pack", packed, METH_VARARGS, "The stream of a text, with what else is known of it; together with what all share up to 8 kB."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "Packs short texts that resemble what is known."},
    {Py_tp_new, make},
    {Py_tp_methods, methods},
    {Py_tp_dealloc, forget},
    {0, NULL},
};

static PyType_Spec spec = {"dowse.engines.sqlite._packing.Packer", sizeof(Packer), 0, Py_TPFLAGS_DEFAULT, slots};

static uint16_t turned(unsigned code, int bits)
{
    unsigned found = 0;
    for (int bit = 0; bit < bits; bit++)
        found |= (code >> bit & 1) << (bits - 1 - bit);
    return (uint16_t)found;
}

static int fill(PyObject *module)
{
    for (unsigned letter = 0; letter < 288; letter++) {
        int bits = letter < 144 ? 8 : letter < 256 ? 9 : letter < 280 ? 7 : 8;
        unsigned code = letter < 144   ? 0x30 + letter
                        : letter < 256 ? 0x190 + letter - 144
                        : letter < 280 ? letter - 256
                                       : 0xc0 + letter - 280;
        letter_codes[letter] = turned(code, bits);
        letter_bits[letter] = (unsigned char)bits;
    }
    for (int code = 0; code < 29; code++)
        for (int length = length_base[code]; length <= LONGEST; length++)
            length_code[length] = (unsigned char)code;
    for (int code = 0; code < 30; code++) {
        distance_codes[code] = turned((unsigned)code, 5);
        for (int distance = distance_base[code]; distance <= WINDOW; distance++)
            distance_code[distance] = (unsigned char)code;
    }
    PyObject *type = PyType_FromSpec(&spec);
    if (type == NULL)
        return -1;
    int added = PyModule_AddObjectRef(module, "Packer", type);
    Py_DECREF(type);
    return added;
}

static PyModuleDef_Slot filling[] = {{Py_mod_exec, fill}, {0, NULL}};

static PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_packing", NULL, 0, NULL, filling, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__packing(void)
{
    return PyModuleDef_Init(&definition);
}
