/* Where does a word stand? Reads the postings of one word from the pages of one segment of an FTS5 index.

   A page: two bytes that say where its first record number lies, two that say where its terms are listed, then the terms, each with
   its records. What belongs to a term may go on over many pages. Whatever looks otherwise than expected is left to FTS5 itself. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define HEADER 4
#define LONGEST_VARINT 9
/* Records with at most so many bytes of places are read at once where as much of the page is left. */
#define FAST_PLACES 32
#define FAST_ROOM (FAST_PLACES + 4)

/* What is told of an occurrence: the record; the record and the column; or the place in it too. Or of a record how often it holds the term. */
enum { RECORDS, CELLS, PLACES, COUNTS };

typedef struct {
    PyObject *page, *more;
    const uint8_t *bytes;
    Py_ssize_t at, end, first_record;
    int goes_on, odd;
} Reader;

typedef struct {
    int64_t *items;
    Py_ssize_t count, room;
} Numbers;

static int push(Numbers *numbers, int64_t number)
{
    if (numbers->count == numbers->room) {
        Py_ssize_t room = numbers->room ? 2 * numbers->room : 64;
        int64_t *items = realloc(numbers->items, room * sizeof *items);
        if (!items)
            return -1;
        numbers->items = items;
        numbers->room = room;
    }
    numbers->items[numbers->count++] = number;
    return 0;
}

/* SQLite's numbers of one to nine bytes. Returns how many, or 0 if they end before. */
static Py_ssize_t varint(const uint8_t *bytes, Py_ssize_t length, uint64_t *number)
{
    uint64_t found = 0;
    for (Py_ssize_t at = 0; at < length && at < LONGEST_VARINT; at++) {
        if (at == LONGEST_VARINT - 1) {
            *number = found << 8 | bytes[at];
            return LONGEST_VARINT;
        }
        found = found << 7 | (bytes[at] & 0x7f);
        if (!(bytes[at] & 0x80)) {
            *number = found;
            return at + 1;
        }
    }
    return 0;
}

static Py_ssize_t two_bytes(const uint8_t *bytes)
{
    return bytes[0] << 8 | bytes[1];
}

/* Makes a page the one that is read. Where its terms are listed, or -1 if it is no page. Takes the reference. */
static Py_ssize_t open_page(Reader *reader, PyObject *page)
{
    char *bytes;
    Py_ssize_t length;
    Py_XDECREF(reader->page);
    reader->page = page;
    if (!PyBytes_Check(page) || PyBytes_AsStringAndSize(page, &bytes, &length) < 0)
        return -1;
    reader->bytes = (const uint8_t *)bytes;
    if (length < HEADER)
        return -1;
    Py_ssize_t listed = two_bytes(reader->bytes + 2);
    reader->first_record = two_bytes(reader->bytes);
    reader->at = HEADER;
    return listed < HEADER || listed > length ? -1 : listed;
}

/* Finds the term on the first page, and how far its records reach there. 0: it is not there. */
static int seek(Reader *reader, Py_ssize_t listed, const uint8_t *term, Py_ssize_t length)
{
    Py_ssize_t size = PyBytes_Size(reader->page), entry = listed, start = 0, same = 0, before = 0;
    uint8_t first = 1;
    while (entry < size) {
        uint64_t step, kept = 0, added;
        Py_ssize_t read = varint(reader->bytes + entry, size - entry, &step);
        if (!read || step > (uint64_t)(listed - start))
            return reader->odd = 1, 0;
        entry += read;
        start += (Py_ssize_t)step;
        Py_ssize_t at = start;
        if (at < HEADER)
            return reader->odd = 1, 0;
        if (!first) {
            read = varint(reader->bytes + at, listed - at, &kept);
            at += read;
            if (!read || kept > (uint64_t)before)
                return reader->odd = 1, 0;
        }
        read = varint(reader->bytes + at, listed - at, &added);
        at += read;
        if (!read || added > (uint64_t)(listed - at))
            return reader->odd = 1, 0;
        /* So much of the term before this one was the same; what is kept beyond that was another already. */
        if ((Py_ssize_t)kept <= same) {
            same = (Py_ssize_t)kept;
            Py_ssize_t own = 0;
            while (own < (Py_ssize_t)added && same < length && reader->bytes[at + own] == term[same])
                own++, same++;
            if (own == (Py_ssize_t)added && same == length) {
                reader->at = at + own;
                reader->goes_on = entry >= size;
                reader->end = listed;
                if (!reader->goes_on) {
                    read = varint(reader->bytes + entry, size - entry, &step);
                    if (!read || step > (uint64_t)(listed - start) || start + (Py_ssize_t)step < reader->at)
                        return reader->odd = 1, 0;
                    reader->end = start + (Py_ssize_t)step;
                }
                return 1;
            }
        }
        before = (Py_ssize_t)(kept + added);
        first = 0;
    }
    return 0;
}

/* Goes to the next page of the term. 0: there is none, or an error is set. */
static int turn(Reader *reader)
{
    if (!reader->goes_on)
        return 0;
    PyObject *page = PyIter_Next(reader->more);
    if (!page)
        return reader->goes_on = 0;
    Py_ssize_t listed = open_page(reader, page), size = listed < 0 ? 0 : PyBytes_Size(page);
    uint64_t first = 0;
    if (listed < 0)
        return reader->odd = 1, 0;
    reader->end = listed;
    if (listed < size) {
        if (!varint(reader->bytes + listed, size - listed, &first) || first < HEADER || first > (uint64_t)listed)
            return reader->odd = 1, 0;
        reader->end = (Py_ssize_t)first;
        reader->goes_on = 0;
    }
    return 1;
}

/* The next number of the term. 0: there is none. Numbers never lie on two pages. */
static Py_ssize_t next_number(Reader *reader, uint64_t *number, int *begins_page)
{
    while (reader->at >= reader->end)
        if (!turn(reader))
            return 0;
    *begins_page = reader->at == reader->first_record;
    Py_ssize_t read = varint(reader->bytes + reader->at, reader->end - reader->at, number);
    if (!read)
        reader->odd = 1;
    reader->at += read;
    return read;
}

static int is_dead(const int64_t *dead, Py_ssize_t count, int64_t record)
{
    Py_ssize_t low = 0, high = count;
    while (low < high) {
        Py_ssize_t middle = low + (high - low) / 2;
        if (dead[middle] < record)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && dead[low] == record;
}

/* What an occurrence is packed into: as postings.py has it. */
typedef struct {
    int told;
    const uint8_t *columns;
    Py_ssize_t column_count;
    int column_bits, place_bits;
} Packing;

/* Reads where the term stands in one record. 0: something is odd. */
static int read_places(Reader *reader, uint64_t length, int64_t record, int dead, const Packing *packing, Numbers *found)
{
    uint64_t column = 0, place = 0, last = ((uint64_t)1 << packing->place_bits) - 1, number;
    int begins;
    while (length) {
        Py_ssize_t read = next_number(reader, &number, &begins);
        if (!read || (uint64_t)read > length)
            return 0;
        length -= read;
        if (number == 1) {
            read = next_number(reader, &column, &begins);
            if (!read || (uint64_t)read > length || column >= (uint64_t)packing->column_count)
                return 0;
            length -= read;
            place = 0;
            continue;
        }
        if (number < 2)
            return 0;
        place += number - 2;
        if (dead)
            continue;
        int64_t packed = record;
        if (packing->told != RECORDS)
            packed = record << packing->column_bits | packing->columns[column];
        if (packing->told == PLACES)
            packed = packed << packing->place_bits | (int64_t)(place < last ? place : last);
        if (push(found, packed) < 0)
            return PyErr_NoMemory(), 0;
    }
    return 1;
}

/* How often the term stands in one record, in any column: of the numbers in its list, which end where a byte has no highest bit, those
   that are no column's mark and no column. -1: something is odd. */
static int64_t count_places(Reader *reader, uint64_t length, const Packing *packing)
{
    const uint8_t *bytes = reader->bytes + reader->at;
    int64_t count = 0;
    if (length > (uint64_t)(reader->end - reader->at))
        return -1;
    for (uint64_t at = 0; at < length; at++) {
        if (bytes[at] == 1) {
            if (++at >= length || bytes[at] >= packing->column_count)
                return -1;
            continue;
        }
        if (!bytes[at])
            return -1;
        while (bytes[at] & 0x80)
            if (++at >= length)
                return -1;
        count++;
    }
    reader->at += (Py_ssize_t)length;
    return count;
}

/* The same where the list goes on over pages. */
static int64_t count_far_places(Reader *reader, uint64_t length, const Packing *packing)
{
    uint64_t number;
    int64_t count = 0;
    int begins;
    while (length) {
        Py_ssize_t read = next_number(reader, &number, &begins);
        if (!read || (uint64_t)read > length || !number)
            return -1;
        length -= read;
        if (number > 1) {
            count++;
            continue;
        }
        read = next_number(reader, &number, &begins);
        if (!read || (uint64_t)read > length || number >= (uint64_t)packing->column_count)
            return -1;
        length -= read;
    }
    return count;
}

static int count_record(Reader *reader, uint64_t length, int64_t record, int dead, const Packing *packing, Numbers *found)
{
    int here = length <= (uint64_t)(reader->end - reader->at);
    int64_t count = here ? count_places(reader, length, packing) : count_far_places(reader, length, packing);
    if (count < 0 || count >> packing->place_bits)
        return 0;
    if (!dead && count && push(found, record << packing->place_bits | count) < 0)
        return PyErr_NoMemory(), 0;
    return 1;
}

/* Reads records as far as the page surely holds all of each; most of their numbers are of a byte or two. Returns how many. */
static Py_ssize_t count_here(
    Reader *reader, uint64_t *record, const int64_t *dead, Py_ssize_t dead_count, const Packing *packing, Numbers *found)
{
    const uint8_t *bytes = reader->bytes;
    Py_ssize_t at = reader->at, end = reader->end - FAST_ROOM, records = 0;
    while (at < end && at != reader->first_record) {
        uint64_t step = bytes[at], length;
        Py_ssize_t next = at + 1;
        if (step & 0x80) {
            step = (step & 0x7f) << 7 | (bytes[next] & 0x7f);
            if (bytes[next++] & 0x80)
                break;
        }
        length = bytes[next++];
        if (length > 2 * FAST_PLACES || length & 1)
            break;
        int64_t count = 0;
        int plain = 1;
        /* Each place ends with a byte without its highest bit; marks of columns are left to who reads carefully. */
        for (uint64_t byte = 0; byte < length >> 1; byte++) {
            count += !(bytes[next + (Py_ssize_t)byte] & 0x80);
            plain &= bytes[next + (Py_ssize_t)byte] > 1;
        }
        if (!plain || (count && bytes[next + (Py_ssize_t)(length >> 1) - 1] & 0x80))
            break;
        uint64_t here = *record + step;
        if (here > (uint64_t)(INT64_MAX >> (packing->column_bits + packing->place_bits)))
            break;
        if (count && !(dead_count && is_dead(dead, dead_count, (int64_t)here)) &&
            push(found, (int64_t)(here << packing->place_bits) | count) < 0)
            return PyErr_NoMemory(), -1;
        *record = here;
        at = next + (Py_ssize_t)(length >> 1);
        records++;
    }
    reader->at = at;
    return records;
}

static int read_records(Reader *reader, const int64_t *dead, Py_ssize_t dead_count, const Packing *packing, Numbers *found)
{
    uint64_t record = 0, number, length;
    int first = 1, begins_page = 0, ignored;
    int64_t most = INT64_MAX >> (packing->column_bits + packing->place_bits);
    for (;;) {
        if (packing->told == COUNTS && !first && count_here(reader, &record, dead, dead_count, packing, found) < 0)
            return 0;
        if (!next_number(reader, &number, &begins_page))
            break;
        record = first || begins_page ? number : record + number;
        first = 0;
        if (record > (uint64_t)most || !next_number(reader, &length, &ignored) || length & 1)
            return 0;
        int gone = dead_count && is_dead(dead, dead_count, (int64_t)record);
        int read = packing->told == COUNTS ? count_record(reader, length >> 1, (int64_t)record, gone, packing, found)
                                           : read_places(reader, length >> 1, (int64_t)record, gone, packing, found);
        if (!read)
            return 0;
    }
    return !reader->odd;
}

static PyObject *occurrences(PyObject *module, PyObject *arguments)
{
    PyObject *page, *more, *answer = NULL;
    const char *term, *dead, *columns;
    Py_ssize_t length, dead_length, columns_length;
    Packing packing;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "Sy#Oy#iy#ii", &page, &term, &length, &more, &dead, &dead_length, &packing.told, &columns,
                          &columns_length, &packing.column_bits, &packing.place_bits))
        return NULL;
    packing.columns = (const uint8_t *)columns;
    packing.column_count = columns_length;
    if (packing.column_bits < 0 || packing.column_bits > 8 || packing.place_bits < 1 || packing.place_bits > 32) {
        PyErr_SetString(PyExc_ValueError, "a number has too few bits for this");
        return NULL;
    }
    Reader reader = {.more = more};
    Numbers found = {0};
    Py_INCREF(page);
    Py_ssize_t listed = open_page(&reader, page);
    int there = listed >= 0 && seek(&reader, listed, (const uint8_t *)term, length);
    /* Aligned as bytes objects are. */
    int read = !there || read_records(&reader, (const int64_t *)dead, dead_length / 8, &packing, &found);
    if (!PyErr_Occurred()) {
        if (listed < 0 || reader.odd || !read)
            answer = Py_NewRef(Py_None);
        else
            answer = PyByteArray_FromStringAndSize((const char *)found.items, found.count * sizeof *found.items);
    }
    free(found.items);
    Py_XDECREF(reader.page);
    return answer;
}

/* The next so many numbers of a block. Zero: it ends before, or holds one that none of them can be. */
static int numbers_at(const uint8_t *bytes, Py_ssize_t length, Py_ssize_t *at, uint64_t *numbers, int count)
{
    for (int number = 0; number < count; number++) {
        Py_ssize_t read = varint(bytes + *at, length - *at, &numbers[number]);
        if (!read || read == LONGEST_VARINT)
            return 0;
        *at += read;
    }
    return 1;
}

static int add_segment(PyObject *found, const uint64_t *segment)
{
    PyObject *item = Py_BuildValue("KKKK", segment[0], segment[1], segment[2], segment[5]);
    int failed = !item || PyList_Append(found, item) < 0;
    Py_XDECREF(item);
    return failed ? -1 : 0;
}

/* Of each segment that holds something its number, its first and last page, and how many lists of deleted records it has. */
static PyObject *segments(PyObject *module, PyObject *block)
{
    char *bytes;
    Py_ssize_t length, at = 0;
    uint64_t head[3], level[2], segment[8];
    (void)module;
    if (PyBytes_AsStringAndSize(block, &bytes, &length) < 0)
        return NULL;
    PyObject *found = PyList_New(0);
    int read = found && numbers_at((uint8_t *)bytes, length, &at, head, 3);
    for (uint64_t number = 0; read && number < head[0]; number++) {
        read = numbers_at((uint8_t *)bytes, length, &at, level, 2) && level[1] <= head[1];
        head[1] -= level[1];
        for (uint64_t each = 0; read && each < level[1]; each++) {
            read = numbers_at((uint8_t *)bytes, length, &at, segment, 8);
            if (read && segment[1] && add_segment(found, segment) < 0)
                read = 0;
        }
    }
    if (read && !head[1])
        return found;
    Py_XDECREF(found);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

static PyMethodDef methods[] = {
    {"segments", segments, METH_O, "The segments of an index, from the list of them; None if odd."},
    {"occurrences", occurrences, METH_VARARGS, "One number for each occurrence of a term in a segment, ascending; None if odd."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, .m_name = "_leaves", .m_doc = "Reads pages of an FTS5 index.", .m_size = 0, .m_methods = methods,
};

PyMODINIT_FUNC PyInit__leaves(void)
{
    return PyModule_Create(&definition);
}
