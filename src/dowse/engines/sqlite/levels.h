/* The front without adding up everyone: a part of _summing.c.

   What a record holds is told by a byte: small whole numbers stand for the worths, so that their sum is at least the bound just
   where that of the worths is. That counts who is found. Scores are computed of those that hold one of the first terms alone, once
   all that the other terms can give together is less than what the last in front has. */

/* With more terms than this there are too many ways to hold some of them to look at each. */
#define MOST_TERMS 12
#define MOST_LEVEL 255
/* What is added up in another order may differ in the last bits. */
#define ROUNDED_UP (1 + 1e-9)
#define DOUBTFUL 1e-12
#define TRIFLING 1e-8
/* So many bytes are counted in a byte. */
#define COUNTED 240
/* A record is looked up among those of a term in the time in which so many are added one after the other. */
#define LOOKED_UP 8

typedef struct {
    /* 0: they cannot be told. */
    Py_ssize_t count;
    uint8_t steps[MOST_TERMS], least, full;
    /* What this term and all after it can give at most. */
    double rest[MOST_TERMS + 1];
} Levels;

/* A block of records: what each holds, which terms as far as they were added, what these give it and what others do. */
typedef struct {
    uint8_t level[BLOCK];
    double scores[BLOCK], gained[BLOCK];
    uint16_t terms[BLOCK];
    /* Who is looked at; and of these, the places of those that may still be in front, ascending. */
    uint64_t marked[BLOCK / WORD];
    uint16_t chosen[BLOCK];
    Py_ssize_t count, start[MOST_TERMS], stop[MOST_TERMS];
    /* Whether others give anyone here anything: where nobody gets anything, that memory is left alone. */
    int gains;
} Block;

/* Looks at every way to hold some of the terms: none may be so close to the bound that the order of adding up would decide. */
static int are_told_apart(const Sum *sum, const Levels *levels, uint8_t *least)
{
    double held[1 << MOST_TERMS];
    int sums[1 << MOST_TERMS], lowest = levels->full, highest = -1;
    double total = 0.0;
    for (Py_ssize_t number = 0; number < sum->count; number++)
        total += sum->parts[number].worth;
    held[0] = 0.0;
    sums[0] = 0;
    for (Py_ssize_t number = 0; number < sum->count; number++)
        for (int way = 0; way < 1 << number; way++) {
            held[(1 << number) + way] = held[way] + sum->parts[number].worth;
            sums[(1 << number) + way] = sums[way] + levels->steps[number];
        }
    for (int way = 0; way < 1 << sum->count; way++) {
        if (fabs(held[way] - sum->bound) <= DOUBTFUL * total)
            return 0;
        if (held[way] >= sum->bound)
            lowest = sums[way] < lowest ? sums[way] : lowest;
        else
            highest = sums[way] > highest ? sums[way] : highest;
    }
    *least = (uint8_t)lowest;
    return lowest > 0 && highest < lowest;
}

static void tell_levels(const Sum *sum, Levels *levels)
{
    double total = 0.0;
    int full = 0;
    if (sum->count > MOST_TERMS)
        return;
    for (Py_ssize_t number = 0; number < sum->count; number++)
        total += sum->parts[number].worth;
    if (!(total > 0.0))
        return;
    double scale = (double)(MOST_LEVEL - sum->count) / total;
    for (Py_ssize_t number = 0; number < sum->count; number++) {
        const Part *part = &sum->parts[number];
        /* Who holds all but next to nothing of a query counts as holding all of it. */
        if (part->worth < 0.0 || part->weight < 0.0 || part->most < 0.0 || (part->worth > 0.0 && part->worth <= TRIFLING * total))
            return;
        int step = part->worth > 0.0 ? (int)(part->worth * scale + 0.5) : 0;
        levels->steps[number] = (uint8_t)(part->worth > 0.0 && !step ? 1 : step);
        full += levels->steps[number];
    }
    if (full > MOST_LEVEL)
        return;
    levels->full = (uint8_t)full;
    levels->rest[sum->count] = 0.0;
    for (Py_ssize_t number = sum->count; number-- > 0;)
        levels->rest[number] = levels->rest[number + 1] + sum->parts[number].weight * sum->parts[number].most;
    if (are_told_apart(sum, levels, &levels->least))
        levels->count = sum->count;
}

/* Where the numbers below an end stop, from a place on: in ever longer steps, then by halves. */
static Py_ssize_t stop_of(const Part *part, Py_ssize_t from, int64_t end)
{
    Py_ssize_t low = from, step = 64;
    while (low + step < part->count && part->ids[low + step] < end) {
        low += step;
        step *= 2;
    }
    Py_ssize_t high = low + step < part->count ? low + step : part->count;
    while (low < high) {
        Py_ssize_t middle = low + (high - low) / 2;
        if (part->ids[middle] < end)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Eight bits as eight bytes of ones or zeros, the lowest first, for each way they can be. */
static void spread_bits(uint8_t spread[256][8])
{
    for (int way = 0; way < 256; way++)
        for (int bit = 0; bit < 8; bit++)
            spread[way][bit] = way >> bit & 1 ? 0xFF : 0;
}

/* Adds a step to the levels of all whose bit is set, eight at once: no sum of steps is more than a byte. */
static void add_bits(uint8_t *level, const uint8_t *bits, Py_ssize_t bytes, uint8_t spread[256][8], uint8_t step)
{
    uint64_t steps = step * UINT64_C(0x0101010101010101);
    for (Py_ssize_t byte = 0; byte < bytes; byte++) {
        uint64_t levels, held;
        memcpy(&levels, level + 8 * byte, 8);
        memcpy(&held, spread[bits[byte]], 8);
        levels += held & steps;
        memcpy(level + 8 * byte, &levels, 8);
    }
}

/* What the records of a block hold; whether anyone holds anything. */
static int level_block(
    Sum *sum, const Levels *levels, Block *block, Py_ssize_t base, Py_ssize_t length, uint8_t spread[256][8])
{
    int touched = 0;
    memset(block->level, 0, sizeof block->level);
    for (Py_ssize_t number = 0; number < sum->count; number++) {
        Part *part = &sum->parts[number];
        uint8_t step = levels->steps[number];
        Py_ssize_t at = block->start[number] = part->at;
        if (part->bits) {
            at = (Py_ssize_t)part->starts[(base + length + WORD - 1) / WORD];
            at = at < part->count ? at : part->count;
            add_bits(block->level, part->bits + base / 8, (length + 7) / 8, spread, step);
        } else if (!step) {
            at = stop_of(part, at, base + length);
            /* Numbers that go down again would lie before the block. */
            if (at > part->at && part->ids[part->at] < base)
                return 0;
        } else
            for (; at < part->count; at++) {
                uint64_t place = (uint64_t)((int64_t)part->ids[at] - base);
                if (place >= (uint64_t)length)
                    break;
                block->level[place] += step;
            }
        touched |= at > part->at;
        block->stop[number] = part->at = at;
    }
    if (touched && sum->within)
        for (Py_ssize_t place = 0; place < length; place++)
            block->level[place] &= (uint8_t)-(sum->within[base + place] != 0);
    return touched;
}

/* Whether anyone in a block may hold everything: not where a term that is asked for is held by nobody. */
static int may_be_whole(const Sum *sum, const Levels *levels, const Block *block)
{
    for (Py_ssize_t number = 0; number < sum->count; number++)
        if (levels->steps[number] && block->start[number] == block->stop[number])
            return 0;
    return 1;
}

/* How many of a block have at least a level. */
static Py_ssize_t count_of(const uint8_t *level, uint8_t least)
{
    Py_ssize_t count = 0;
    for (Py_ssize_t start = 0; start < BLOCK; start += COUNTED) {
        Py_ssize_t stop = start + COUNTED < BLOCK ? start + COUNTED : BLOCK;
        uint8_t some = 0;
        for (Py_ssize_t place = start; place < stop; place++)
            some += level[place] >= least;
        count += some;
    }
    return count;
}

static inline void mark(Block *block, uint64_t place)
{
    block->marked[place / WORD] |= (uint64_t)1 << place % WORD;
}

/* Added up in ever wider fields: where the processor is not known, the compiler calls a function for it. */
static inline int count_bits(uint64_t bits)
{
    bits -= bits >> 1 & UINT64_C(0x5555555555555555);
    bits = (bits & UINT64_C(0x3333333333333333)) + (bits >> 2 & UINT64_C(0x3333333333333333));
    bits = (bits + (bits >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    return (int)(bits * UINT64_C(0x0101010101010101) >> 56);
}

/* The bits of 64 records, the lowest first. */
static inline uint64_t word_of(const Part *part, Py_ssize_t word)
{
    const uint8_t *bytes = part->bits + word * 8;
    uint64_t bits = 0;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(&bits, bytes, sizeof bits);
#else
    for (int byte = 0; byte < 8; byte++)
        bits |= (uint64_t)bytes[byte] << 8 * byte;
#endif
    return bits;
}

static inline void add_to(Block *block, uint64_t place, double gift, uint16_t term)
{
    block->scores[place] += gift;
    block->terms[place] |= term;
}

/* Adds what a term gives to everyone who holds it, and marks them. Whatever the numbers are, nothing outside of the block is touched. */
static void add_to_all(const Part *part, Block *block, Py_ssize_t base, Py_ssize_t length, Py_ssize_t number)
{
    const double weight = part->weight;
    const uint16_t term = (uint16_t)(1 << number);
    Py_ssize_t at = block->start[number], stop = block->stop[number];
    if (part->bits) {
        for (Py_ssize_t word = 0; word * WORD < length; word++) {
            uint64_t bits = word_of(part, base / WORD + word);
            block->marked[word] |= bits;
            for (; bits && at < stop; bits &= bits - 1, at++)
                add_to(block, (uint64_t)(word * WORD + lowest_of(bits)), weight * (double)part->gifts[at], term);
        }
        return;
    }
    for (; at < stop; at++) {
        uint64_t place = (uint64_t)((int64_t)part->ids[at] - base);
        if (place >= (uint64_t)length)
            break;
        mark(block, place);
        add_to(block, place, weight * (double)part->gifts[at], term);
    }
}

/* The same for those alone that are marked: of the others nobody wants to know. */
static void add_to_marked(const Part *part, Block *block, Py_ssize_t base, Py_ssize_t length, Py_ssize_t number)
{
    const double weight = part->weight;
    const uint16_t term = (uint16_t)(1 << number);
    Py_ssize_t stop = block->stop[number];
    if (part->bits) {
        for (Py_ssize_t word = 0; word * WORD < length; word++) {
            uint64_t held = block->marked[word] ? word_of(part, base / WORD + word) : 0;
            for (uint64_t bits = held & block->marked[word]; bits; bits &= bits - 1) {
                Py_ssize_t at = (Py_ssize_t)part->starts[base / WORD + word] + count_bits(held & ((bits & -bits) - 1));
                if (at < stop)
                    add_to(block, (uint64_t)(word * WORD + lowest_of(bits)), weight * (double)part->gifts[at], term);
            }
        }
        return;
    }
    for (Py_ssize_t at = block->start[number]; at < stop; at++) {
        uint64_t place = (uint64_t)((int64_t)part->ids[at] - base);
        if (place >= (uint64_t)length)
            break;
        if (block->marked[place / WORD] >> place % WORD & 1)
            add_to(block, place, weight * (double)part->gifts[at], term);
    }
}

/* Where a record stands among those of a common term: its bit says whether, those below it say where. -1: it is not there. */
static inline Py_ssize_t place_by_bits(const Part *part, int64_t id)
{
    uint64_t bits = word_of(part, (Py_ssize_t)(id / WORD)), below = ((uint64_t)1 << id % WORD) - 1;
    if (!(bits >> id % WORD & 1))
        return -1;
    Py_ssize_t at = (Py_ssize_t)part->starts[id / WORD] + count_bits(bits & below);
    return at < part->count ? at : -1;
}

/* Adds it to those that are chosen, each looked up. */
static void add_to_chosen(const Part *part, Block *block, Py_ssize_t base, Py_ssize_t number)
{
    Py_ssize_t low = block->start[number], stop = block->stop[number];
    const uint16_t term = (uint16_t)(1 << number);
    for (Py_ssize_t index = 0; index < block->count && low < stop; index++) {
        int64_t id = base + block->chosen[index];
        if (part->bits) {
            Py_ssize_t at = place_by_bits(part, id);
            if (at >= 0)
                add_to(block, block->chosen[index], part->weight * (double)part->gifts[at], term);
            continue;
        }
        Py_ssize_t high = stop;
        while (low < high) {
            Py_ssize_t middle = low + (high - low) / 2;
            if (part->ids[middle] < id)
                low = middle + 1;
            else
                high = middle;
        }
        if (low < stop && part->ids[low] == id)
            add_to(block, block->chosen[index], part->weight * (double)part->gifts[low], term);
    }
}

/* Whether a record may be in front if it gets all that is left; one that holds everything may with less. Not a branch: nobody can
   guess. */
static inline int may_still(const Sum *sum, const Levels *levels, const Block *block, uint64_t place, double rest)
{
    double line = block->level[place] == levels->full ? sum->whole_line : sum->line;
    double gain = block->gains ? block->gained[place] : 0.0;
    return (block->level[place] >= levels->least) & ((block->scores[place] + rest) * ROUNDED_UP + gain >= line);
}

/* Chooses of the marked those that may be in front. */
static void choose(const Sum *sum, const Levels *levels, Block *block, double rest)
{
    block->count = 0;
    for (Py_ssize_t word = 0; word < BLOCK / WORD; word++)
        for (uint64_t bits = block->marked[word]; bits; bits &= bits - 1) {
            uint64_t place = (uint64_t)(word * WORD + lowest_of(bits));
            block->chosen[block->count] = (uint16_t)place;
            block->count += may_still(sum, levels, block, place, rest);
        }
}

static void choose_again(const Sum *sum, const Levels *levels, Block *block, double rest)
{
    Py_ssize_t kept = 0;
    for (Py_ssize_t index = 0; index < block->count; index++) {
        uint16_t place = block->chosen[index];
        block->chosen[kept] = place;
        kept += may_still(sum, levels, block, place, rest);
    }
    block->count = kept;
}

static inline int is_within(int64_t id, Py_ssize_t base, Py_ssize_t length)
{
    return id >= base && id < base + length;
}

/* Marks those that may be in front whatever terms they hold: who holds everything, and whom others give enough. */
static void mark_others(
    const Sum *sum, const Levels *levels, Block *block, Py_ssize_t base, Py_ssize_t length, Py_ssize_t also_at, double rest, int whole)
{
    for (Py_ssize_t place = 0; whole && place < length; place++)
        if (block->level[place] == levels->full)
            mark(block, (uint64_t)place);
    for (; also_at < sum->also_count && is_within(sum->also[also_at], base, length); also_at++) {
        block->gained[sum->also[also_at] - base] = sum->gains[also_at];
        block->gains = 1;
        if (rest * ROUNDED_UP + sum->gains[also_at] >= sum->line)
            mark(block, (uint64_t)(sum->also[also_at] - base));
    }
}

static double held_of(const Sum *sum, unsigned terms)
{
    double held = 0.0;
    for (Py_ssize_t number = 0; number < sum->count; number++)
        if (terms >> number & 1)
            held += sum->parts[number].worth;
    return held;
}

/* Takes those of a block that may be in front. ``first``: so many terms are among those that every one in front holds one of. */
static int take_leading(Sum *sum, const Levels *levels, Block *block, Py_ssize_t base, Py_ssize_t length, Py_ssize_t first)
{
    choose(sum, levels, block, levels->rest[first]);
    for (Py_ssize_t number = first; number < sum->count && block->count; number++) {
        const Part *part = &sum->parts[number];
        if (LOOKED_UP * block->count < block->stop[number] - block->start[number])
            add_to_chosen(part, block, base, number);
        else
            add_to_marked(part, block, base, length, number);
        choose_again(sum, levels, block, levels->rest[number + 1]);
    }
    for (Py_ssize_t index = 0; index < block->count; index++) {
        uint16_t place = block->chosen[index];
        double score = block->scores[place], gain = block->gains ? block->gained[place] : 0.0, held = held_of(sum, block->terms[place]);
        if (may_lead(sum, score, gain, held) && take(sum, base + place, score, held, gain) < 0)
            return -1;
    }
    return 0;
}

/* As many as are wanted hold a term that is enough to be found, and have what it gives so many. */
static void begin_line(Sum *sum)
{
    if (sum->line_is_settled || sum->within || sum->many < sum->wanted)
        return;
    for (Py_ssize_t number = 0; number < sum->count; number++) {
        const Part *part = &sum->parts[number];
        double line = part->weight * part->to_many;
        if (part->worth >= sum->bound && line > sum->line)
            sum->line = line;
    }
}

/* Most blocks hold few that are looked at. */
static void empty(Block *block)
{
    for (Py_ssize_t word = 0; word < BLOCK / WORD; word++)
        for (uint64_t bits = block->marked[word]; bits; bits &= bits - 1) {
            Py_ssize_t place = word * WORD + lowest_of(bits);
            block->scores[place] = 0.0;
            block->terms[place] = 0;
        }
    memset(block->marked, 0, sizeof block->marked);
    block->gains = 0;
}

static int walk_levels(Sum *sum, const Levels *levels)
{
    Block *block = calloc(1, sizeof *block);
    Py_ssize_t also_at = 0, first = sum->count;
    int failed = !block;
    uint8_t spread[256][8];
    spread_bits(spread);
    begin_line(sum);
    for (Py_ssize_t base = 0; base < sum->size && !failed; base += BLOCK) {
        Py_ssize_t length = sum->size - base < BLOCK ? sum->size - base : BLOCK;
        if (!level_block(sum, levels, block, base, length, spread))
            continue;
        Py_ssize_t found = count_of(block->level, levels->least);
        Py_ssize_t complete = found && may_be_whole(sum, levels, block) ? count_of(block->level, levels->full) : 0;
        if (!found)
            continue;
        sum->found += found;
        sum->complete += complete;
        while (first > 0 && levels->rest[first - 1] * ROUNDED_UP < sum->line)
            first--;
        while (also_at < sum->also_count && sum->also[also_at] < base)
            also_at++;
        for (Py_ssize_t number = 0; number < first; number++)
            add_to_all(&sum->parts[number], block, base, length, number);
        mark_others(sum, levels, block, base, length, also_at, levels->rest[first], complete > 0);
        failed = take_leading(sum, levels, block, base, length, first) < 0;
        empty(block);
        for (; also_at < sum->also_count && is_within(sum->also[also_at], base, length); also_at++)
            block->gained[sum->also[also_at] - base] = 0.0;
    }
    free(block);
    return failed ? -1 : 0;
}
