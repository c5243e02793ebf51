/* What does a record hold, as bytes? The same as `packing` says in JSON and `checking` sums up, without a string for every piece. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

/* Of a record's texts and facets; whoever has more is told in Python. */
enum { MOST = 64 };

typedef struct {
    const char *letters;
    Py_ssize_t length;
} Text;

typedef struct {
    char *start;
    size_t used, room;
} Output;

typedef struct {
    Text name;
    PyObject *value;
} Item;

/* What follows a backslash; 0 where the letter stands for itself, 'u' where its number does. */
static char escapes[256];
static uint32_t table[8][256];

/* What this says of a value that it does not know, or that Python refuses: ask Python. */
enum { FAILED = -1, UNKNOWN = 0, DONE = 1 };

static int make_room(Output *out, size_t length)
{
    if (length <= out->room - out->used)
        return DONE;
    if (length > SIZE_MAX / 4 - out->used)
        return FAILED;
    size_t room = (out->used + length) * 2 + 1024;
    char *start = PyMem_Realloc(out->start, room);
    if (start == NULL)
        return FAILED;
    out->start = start;
    out->room = room;
    return DONE;
}

static int put(Output *out, const char *letters, size_t length)
{
    if (make_room(out, length) == FAILED)
        return FAILED;
    memcpy(out->start + out->used, letters, length);
    out->used += length;
    return DONE;
}

/* The letters of a string; UNKNOWN where it holds half a character, which has none. */
static int text_of(PyObject *value, Text *text)
{
    if (!PyUnicode_Check(value))
        return UNKNOWN;
    text->letters = PyUnicode_AsUTF8AndSize(value, &text->length);
    if (text->letters != NULL)
        return DONE;
    if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError))
        return FAILED;
    PyErr_Clear();
    return UNKNOWN;
}

static int put_string(Output *out, Text text)
{
    static const char digits[] = "0123456789abcdef";
    if ((size_t)text.length > SIZE_MAX / 8 || make_room(out, 6 * (size_t)text.length + 2) == FAILED)
        return FAILED;
    char *to = out->start + out->used;
    *to++ = '"';
    const char *at = text.letters, *end = at + text.length;
    while (at < end) {
        const char *plain = at;
        while (at < end && !escapes[(unsigned char)*at])
            at++;
        memcpy(to, plain, at - plain);
        to += at - plain;
        if (at == end)
            break;
        unsigned char letter = (unsigned char)*at++;
        *to++ = '\\';
        *to++ = escapes[letter];
        if (escapes[letter] == 'u') {
            *to++ = '0', *to++ = '0';
            *to++ = digits[letter >> 4], *to++ = digits[letter & 15];
        }
    }
    *to++ = '"';
    out->used = to - out->start;
    return DONE;
}

/* As Python writes a value that is no string; `yes` and `no` as the format has them. */
static int put_value(Output *out, PyObject *value, const char *yes, const char *no)
{
    if (value == Py_True)
        return put(out, yes, strlen(yes));
    if (value == Py_False)
        return put(out, no, strlen(no));
    if (!PyLong_CheckExact(value) && !PyFloat_CheckExact(value))
        return UNKNOWN;
    if (PyFloat_CheckExact(value)) {
        double number = PyFloat_AsDouble(value);
        /* Both formats have their own words for what is no number. */
        if (number != number || number - number != 0)
            return UNKNOWN;
    }
    PyObject *shown = PyObject_Repr(value);
    Text text;
    int done = shown == NULL ? FAILED : text_of(shown, &text);
    if (done == DONE)
        done = put(out, text.letters, text.length);
    Py_XDECREF(shown);
    return done;
}

static int put_json(Output *out, PyObject *mapping)
{
    if (!PyDict_CheckExact(mapping))
        return UNKNOWN;
    PyObject *name, *value;
    Py_ssize_t at = 0;
    char before = '{';
    while (PyDict_Next(mapping, &at, &name, &value)) {
        Text text;
        int done = put(out, &before, 1);
        before = ',';
        if (done == DONE)
            done = text_of(name, &text);
        if (done == DONE)
            done = put_string(out, text);
        if (done == DONE)
            done = put(out, ":", 1);
        if (done == DONE && PyUnicode_Check(value)) {
            done = text_of(value, &text);
            if (done == DONE)
                done = put_string(out, text);
        } else if (done == DONE) {
            done = put_value(out, value, "true", "false");
        }
        if (done != DONE)
            return done;
    }
    return before == '{' ? put(out, "{}", 2) : put(out, "}", 1);
}

static PyObject *finished(Output *out, int done, PyObject *made)
{
    PyMem_Free(out->start);
    if (done == FAILED && !PyErr_Occurred())
        PyErr_NoMemory();
    if (done == FAILED)
        return NULL;
    return done == DONE ? made : Py_NewRef(Py_None);
}

static PyObject *written(PyObject *module, PyObject *arguments)
{
    (void)module;
    PyObject *fields, *facets, *made = NULL;
    if (!PyArg_ParseTuple(arguments, "OO", &fields, &facets))
        return NULL;
    Output out = {NULL, 0, 0};
    int done = put_json(&out, facets);
    size_t about = out.used;
    if (done == DONE)
        done = put(&out, "\n", 1);
    if (done == DONE)
        done = put_json(&out, fields);
    if (done == DONE && (made = Py_BuildValue("(y#n)", out.start, (Py_ssize_t)out.used, (Py_ssize_t)about)) == NULL)
        done = FAILED;
    return finished(&out, done, made);
}

static uint32_t sum_over(uint32_t sum, const char *letters, size_t length)
{
    const unsigned char *at = (const unsigned char *)letters;
    for (; length >= 8; at += 8, length -= 8) {
        uint32_t low = sum ^ (at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24);
        sum = table[7][low & 255] ^ table[6][low >> 8 & 255] ^ table[5][low >> 16 & 255] ^ table[4][low >> 24] ^
              table[3][at[4]] ^ table[2][at[5]] ^ table[1][at[6]] ^ table[0][at[7]];
    }
    for (; length; at++, length--)
        sum = table[0][(sum ^ *at) & 255] ^ sum >> 8;
    return sum;
}

static int add(uint32_t *sum, PyObject *value)
{
    Text text;
    int done = text_of(value, &text);
    if (done == DONE)
        *sum = sum_over(sum_over(*sum, text.letters, text.length), "\0", 1);
    return done;
}

/* The items of a dictionary in the order of their names. */
static int sorted_items(PyObject *mapping, Item *items, int *count)
{
    if (!PyDict_CheckExact(mapping) || PyDict_Size(mapping) > MOST)
        return UNKNOWN;
    PyObject *name, *value;
    Py_ssize_t at = 0;
    *count = 0;
    while (PyDict_Next(mapping, &at, &name, &value)) {
        Text text;
        int done = PyUnicode_CheckExact(name) ? text_of(name, &text) : UNKNOWN;
        if (done != DONE)
            return done;
        int place = (*count)++;
        for (; place > 0; place--) {
            Text other = items[place - 1].name;
            Py_ssize_t both = other.length < text.length ? other.length : text.length;
            /* Letters in UTF-8 stand in the order of the characters. */
            int order = memcmp(other.letters, text.letters, both);
            if (order < 0 || (order == 0 && other.length <= text.length))
                break;
            items[place] = items[place - 1];
        }
        items[place] = (Item){text, value};
    }
    return DONE;
}

/* A string as Python shows it: in quotes where it is of plain letters, else as Python says. */
static int put_shown(Output *out, PyObject *value, Text text)
{
    int is_plain = PyUnicode_CheckExact(value);
    for (Py_ssize_t at = 0; is_plain && at < text.length; at++) {
        unsigned char letter = (unsigned char)text.letters[at];
        is_plain = letter >= ' ' && letter < 127 && letter != '\'' && letter != '\\';
    }
    if (!is_plain) {
        PyObject *shown = PyObject_Repr(value);
        int done = shown == NULL ? FAILED : text_of(shown, &text);
        if (done == DONE)
            done = put(out, text.letters, text.length);
        Py_XDECREF(shown);
        return done;
    }
    int done = put(out, "'", 1);
    if (done == DONE)
        done = put(out, text.letters, text.length);
    return done == DONE ? put(out, "'", 1) : done;
}

static int put_facets(Output *out, const Item *items, int count)
{
    int done = put(out, "([", 2);
    for (int at = 0; at < count && done == DONE; at++) {
        PyObject *value = items[at].value;
        Text text;
        done = at ? put(out, ", (", 3) : put(out, "(", 1);
        /* A name of other letters than these Python may show otherwise. */
        for (Py_ssize_t letter = 0; done == DONE && letter < items[at].name.length; letter++) {
            unsigned char one = (unsigned char)items[at].name.letters[letter];
            if (one < ' ' || one >= 127 || one == '\'' || one == '\\')
                return UNKNOWN;
        }
        if (done == DONE)
            done = put(out, "'", 1);
        if (done == DONE)
            done = put(out, items[at].name.letters, items[at].name.length);
        if (done == DONE)
            done = put(out, "', ", 3);
        if (done == DONE && PyUnicode_Check(value)) {
            done = text_of(value, &text);
            if (done == DONE)
                done = put_shown(out, value, text);
        } else if (done == DONE) {
            done = put_value(out, value, "True", "False");
        }
        if (done == DONE)
            done = put(out, ")", 1);
    }
    return done == DONE ? put(out, "], ", 3) : done;
}

static int sum_up(PyObject *texts, PyObject *fields, PyObject *facets, PyObject *updated, Output *out, uint32_t *sum)
{
    Item items[MOST];
    int count, done = DONE;
    for (Py_ssize_t at = 0; at < PyTuple_Size(texts) && done == DONE; at++)
        done = add(sum, PyTuple_GetItem(texts, at));
    if (done == DONE)
        done = sorted_items(fields, items, &count);
    for (int at = 0; done == DONE && at < count; at++) {
        *sum = sum_over(sum_over(*sum, items[at].name.letters, items[at].name.length), "\0", 1);
        done = add(sum, items[at].value);
    }
    if (done == DONE)
        done = sorted_items(facets, items, &count);
    if (done == DONE)
        done = put_facets(out, items, count);
    if (done == DONE)
        done = put_value(out, updated, "", "");
    if (done == DONE)
        *sum = sum_over(*sum, out->start, out->used);
    return done;
}

static PyObject *summed(PyObject *module, PyObject *arguments)
{
    (void)module;
    PyObject *texts, *fields, *facets, *updated, *made = NULL;
    if (!PyArg_ParseTuple(arguments, "O!OOO", &PyTuple_Type, &texts, &fields, &facets, &updated))
        return NULL;
    if (!PyFloat_CheckExact(updated))
        return Py_NewRef(Py_None);
    Output out = {NULL, 0, 0};
    uint32_t sum = 0xffffffff;
    int done = sum_up(texts, fields, facets, updated, &out, &sum);
    if (done == DONE && (made = PyLong_FromUnsignedLong(sum ^ 0xffffffff)) == NULL)
        done = FAILED;
    return finished(&out, done, made);
}

static PyMethodDef methods[] = {
    {"written", written, METH_VARARGS, "Facets and texts as JSON, a line each, and how long the first is; None: ask Python."},
    {"summed", summed, METH_VARARGS, "The sum over some texts, the fields, the facets and a time; None: ask Python."},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_telling", NULL, 0, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__telling(void)
{
    for (int letter = 0; letter < 32; letter++)
        escapes[letter] = 'u';
    escapes['"'] = '"', escapes['\\'] = '\\', escapes['\n'] = 'n', escapes['\r'] = 'r';
    escapes['\t'] = 't', escapes['\f'] = 'f', escapes['\b'] = 'b';
    for (uint32_t letter = 0; letter < 256; letter++) {
        uint32_t sum = letter;
        for (int bit = 0; bit < 8; bit++)
            sum = sum >> 1 ^ (sum & 1 ? 0xedb88320u : 0);
        table[0][letter] = sum;
    }
    for (int round = 1; round < 8; round++)
        for (int letter = 0; letter < 256; letter++)
            table[round][letter] = table[0][table[round - 1][letter] & 255] ^ table[round - 1][letter] >> 8;
    return PyModuleDef_Init(&definition);
}
