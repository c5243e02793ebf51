/* The same as in quantising.py, without an array for every step: how far sketches are from a question's, and how close whole rows are.

   Nothing here is rounded: distances are counts of bits, and products are sums of whole numbers below 2^24, which single precision and
   int32 hold alike. So it does not matter who computes them, and in which order.

   A call takes a fraction of a millisecond, and a question makes dozens: giving the interpreter's lock away each time would make it wait
   for its turn as often. */

#include <Python.h>
#include <stdint.h>

enum { WORDS = 8, NOWHERE = WORDS * 64 + 1, AT_ONCE = 1024 };

/* The processor that is there decides, not the one it was compiled on. */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#define FOR_EACH_PROCESSOR __attribute__((target_clones("arch=icelake-server", "avx2", "popcnt", "default")))
#else
#define FOR_EACH_PROCESSOR
#endif

#if !defined(__GNUC__)
static int __builtin_popcountll(uint64_t word)
{
    int count = 0;
    for (; word; word &= word - 1)
        count++;
    return count;
}
#endif

/* Of a stretch of places; a word of all sketches lies side by side. */
FOR_EACH_PROCESSOR
static void count_differing(const uint64_t *sketches, Py_ssize_t places, Py_ssize_t size, const uint64_t *asked, uint64_t *differing)
{
    for (Py_ssize_t at = 0; at < size; at++)
        differing[at] = (uint64_t)__builtin_popcountll(sketches[at] ^ asked[0]);
    for (int word = 1; word < WORDS; word++) {
        const uint64_t *row = sketches + word * places;
        for (Py_ssize_t at = 0; at < size; at++)
            differing[at] += (uint64_t)__builtin_popcountll(row[at] ^ asked[word]);
    }
}

FOR_EACH_PROCESSOR
static int32_t product(const int8_t *row, const int32_t *asked, Py_ssize_t dimension)
{
    int32_t sum = 0;
    for (Py_ssize_t at = 0; at < dimension; at++)
        sum += row[at] * asked[at];
    return sum;
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

PyDoc_STRVAR(distances_doc,
             "distances(sketches, asked, inside, out, levels)\n\n"
             "In how many bits each sketch differs from the one asked for; NOWHERE outside. Adds to levels how many are how far.");

static PyObject *distances(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    static const Py_ssize_t sizes[] = {8, 8, 1, 2, 8};
    static const int flags[] = {0, 0, 0, PyBUF_WRITABLE, PyBUF_WRITABLE};
    PyObject *arrays[5];
    Py_buffer memory[5];
    if (!PyArg_ParseTuple(arguments, "OOOOO", &arrays[0], &arrays[1], &arrays[2], &arrays[3], &arrays[4]))
        return NULL;
    for (int at = 0; at < 5; at++)
        if (!lent(arrays[at], &memory[at], sizes[at], flags[at])) {
            give_back(memory, at);
            return NULL;
        }
    Py_ssize_t places = memory[2].len;
    if (memory[0].len != places * WORDS * 8 || memory[1].len != WORDS * 8 || memory[3].len != places * 2 ||
        memory[4].len != (NOWHERE + 1) * 8) {
        give_back(memory, 5);
        return PyErr_Format(PyExc_ValueError, "the arrays do not belong together");
    }
    const uint64_t *sketches = memory[0].buf, *asked = memory[1].buf;
    const uint8_t *inside = memory[2].buf;
    uint16_t *out = memory[3].buf;
    int64_t *levels = memory[4].buf;
    for (Py_ssize_t start = 0; start < places; start += AT_ONCE) {
        Py_ssize_t size = places - start < AT_ONCE ? places - start : AT_ONCE, wanted = 0;
        uint64_t differing[AT_ONCE];
        for (Py_ssize_t at = 0; at < size; at++)
            wanted += inside[start + at] != 0;
        /* Where few are wanted, the others are not even looked at. */
        if (wanted * 8 >= size)
            count_differing(sketches + start, places, size, asked, differing);
        else
            for (Py_ssize_t at = 0; at < size; at++)
                if (inside[start + at]) {
                    differing[at] = 0;
                    for (int word = 0; word < WORDS; word++)
                        differing[at] += (uint64_t)__builtin_popcountll(sketches[start + at + word * places] ^ asked[word]);
                }
        for (Py_ssize_t at = 0; at < size; at++) {
            uint16_t far = inside[start + at] ? (uint16_t)differing[at] : NOWHERE;
            out[start + at] = far;
            levels[far]++;
        }
    }
    give_back(memory, 5);
    Py_RETURN_NONE;
}

PyDoc_STRVAR(products_doc,
             "products(values, asked, out)\n\n"
             "Of each row of small whole numbers with the whole numbers asked for.");

static PyObject *products(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    static const Py_ssize_t sizes[] = {1, 4, 4};
    static const int flags[] = {0, 0, PyBUF_WRITABLE};
    PyObject *arrays[3];
    Py_buffer memory[3];
    if (!PyArg_ParseTuple(arguments, "OOO", &arrays[0], &arrays[1], &arrays[2]))
        return NULL;
    for (int at = 0; at < 3; at++)
        if (!lent(arrays[at], &memory[at], sizes[at], flags[at])) {
            give_back(memory, at);
            return NULL;
        }
    Py_ssize_t dimension = memory[1].len / 4, rows = memory[2].len / 4;
    int32_t *asked = PyMem_Malloc((size_t)(dimension ? dimension : 1) * 4);
    int fits = memory[0].len == rows * dimension;
    if (!asked || !fits) {
        PyMem_Free(asked);
        give_back(memory, 3);
        return fits ? PyErr_NoMemory() : PyErr_Format(PyExc_ValueError, "the arrays do not belong together");
    }
    const int8_t *values = memory[0].buf;
    const float *given = memory[1].buf;
    float *out = memory[2].buf;
    for (Py_ssize_t at = 0; at < dimension; at++)
        asked[at] = (int32_t)given[at];
    for (Py_ssize_t row = 0; row < rows; row++)
        out[row] = (float)product(values + row * dimension, asked, dimension);
    PyMem_Free(asked);
    give_back(memory, 3);
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"distances", distances, METH_VARARGS, distances_doc},
    {"products", products, METH_VARARGS, products_doc},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_quantising", NULL, 0, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__quantising(void)
{
    return PyModuleDef_Init(&definition);
}
