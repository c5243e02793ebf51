/* Which words of some texts were not seen before? The same as `seen` says in Python, without an object for every word. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

/* A word's letters lie in `letters`; a place without a word has no length. */
typedef struct {
    uint64_t hash;
    size_t start;
    size_t length;
} Place;

typedef struct {
    PyObject_HEAD
    Place *places;
    size_t room; /* a power of two, or nothing yet */
    size_t count;
    char *letters;
    size_t used, letters_room;
} Seen;

static uint64_t hash_of(const char *word, size_t length)
{
    uint64_t hash = 0xcbf29ce484222325u ^ length;
    for (; length >= 8; word += 8, length -= 8) {
        uint64_t eight;
        memcpy(&eight, word, 8);
        hash = (hash ^ eight) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    for (; length; word++, length--)
        hash = (hash ^ (unsigned char)*word) * 0x100000001b3u;
    hash *= 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

/* The place of a word, or the free one where it belongs. At least half of all places are free. */
static Place *place_of(const Seen *seen, const char *word, size_t length, uint64_t hash)
{
    for (size_t at = hash & (seen->room - 1);; at = (at + 1) & (seen->room - 1)) {
        Place *place = seen->places + at;
        if (!place->length)
            return place;
        if (place->hash == hash && place->length == length && !memcmp(seen->letters + place->start, word, length))
            return place;
    }
}

static int make_places(Seen *seen)
{
    if (seen->count * 2 < seen->room)
        return 1;
    size_t room = seen->room ? seen->room * 2 : 1024;
    Place *places = room <= SIZE_MAX / sizeof(Place) ? PyMem_Calloc(room, sizeof(Place)) : NULL;
    if (places == NULL)
        return 0;
    for (size_t old = 0; old < seen->room; old++) {
        if (!seen->places[old].length)
            continue;
        size_t at = seen->places[old].hash & (room - 1);
        while (places[at].length)
            at = (at + 1) & (room - 1);
        places[at] = seen->places[old];
    }
    PyMem_Free(seen->places);
    seen->places = places;
    seen->room = room;
    return 1;
}

static int make_letters(Seen *seen, size_t length)
{
    if (length <= seen->letters_room - seen->used)
        return 1;
    if (length > SIZE_MAX / 4 - seen->used)
        return 0;
    size_t room = (seen->used + length) * 2 + 4096;
    char *letters = PyMem_Realloc(seen->letters, room);
    if (letters == NULL)
        return 0;
    seen->letters = letters;
    seen->letters_room = room;
    return 1;
}

/* Adds a word, and to the list if it is new; 0 with an error set if that fails. */
static int look(Seen *seen, const char *word, size_t length, PyObject *new)
{
    uint64_t hash = hash_of(word, length);
    if (!make_places(seen)) {
        PyErr_NoMemory();
        return 0;
    }
    Place *place = place_of(seen, word, length, hash);
    if (place->length)
        return 1;
    PyObject *text = PyUnicode_DecodeUTF8(word, (Py_ssize_t)length, NULL);
    if (text == NULL)
        return 0;
    int added = PyList_Append(new, text);
    Py_DECREF(text);
    if (added < 0)
        return 0;
    if (!make_letters(seen, length)) {
        PyErr_NoMemory();
        return 0;
    }
    memcpy(seen->letters + seen->used, word, length);
    *place = (Place){hash, seen->used, length};
    seen->used += length;
    seen->count++;
    return 1;
}

static int look_through(Seen *seen, PyObject *text, PyObject *new)
{
    Py_ssize_t size;
    const char *at = PyUnicode_AsUTF8AndSize(text, &size);
    if (at == NULL)
        return 0;
    const char *end = at + size;
    while (at < end) {
        const char *space = memchr(at, ' ', end - at);
        if (space == NULL)
            space = end;
        if (space > at && !look(seen, at, space - at, new))
            return 0;
        at = space + 1;
    }
    return 1;
}

static PyObject *take(PyObject *self, PyObject *texts)
{
    if (!PyList_Check(texts)) {
        PyErr_SetString(PyExc_TypeError, "not a list of texts");
        return NULL;
    }
    PyObject *new = PyList_New(0);
    /* Asked for its size each time: nobody can be kept from changing a list. */
    for (Py_ssize_t at = 0; new != NULL && at < PyList_Size(texts); at++) {
        PyObject *text = PyList_GetItem(texts, at);
        Py_INCREF(text);
        if (!look_through((Seen *)self, text, new))
            Py_CLEAR(new);
        Py_DECREF(text);
    }
    return new;
}

static Py_ssize_t count(PyObject *self)
{
    return (Py_ssize_t)((Seen *)self)->count;
}

static void forget(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyMem_Free(((Seen *)self)->places);
    PyMem_Free(((Seen *)self)->letters);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

static PyMethodDef methods[] = {
    {"take", take, METH_O, "The words of some texts that were not seen before, which from now on they are."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "Words that were seen; of texts in which they are joined by single spaces."},
    {Py_tp_methods, methods},
    {Py_tp_dealloc, forget},
    {Py_sq_length, count},
    {0, NULL},
};

static PyType_Spec spec = {"dowse.text._seen.SeenWords", sizeof(Seen), 0, Py_TPFLAGS_DEFAULT, slots};

static int fill(PyObject *module)
{
    PyObject *type = PyType_FromSpec(&spec);
    if (type == NULL)
        return -1;
    int added = PyModule_AddObjectRef(module, "SeenWords", type);
    Py_DECREF(type);
    return added;
}

static PyModuleDef_Slot filling[] = {{Py_mod_exec, fill}, {0, NULL}};

static PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_seen", NULL, 0, NULL, filling, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__seen(void)
{
    return PyModuleDef_Init(&definition);
}
