/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Water levels at the quay, from the gauge's readings.
 */
#ifndef HARBOUR_TIDE_H
#define HARBOUR_TIDE_H

#include <stddef.h>

/* Below this many metres no ferry may leave. */
#define TIDE_LOWEST_SAFE 1.4
#define TIDE_IS_SAFE(level) ((level) >= TIDE_LOWEST_SAFE)

/** Which way the water goes. */
enum tide_direction {
    TIDE_RISING,
    TIDE_FALLING,
};

/** One reading of a gauge. */
typedef struct tide_reading {
    double metres;
    long taken_at;
} tide_reading;

typedef struct tide_gauge tide_gauge;

typedef double (*tide_correction)(const tide_reading *reading);

/** The level right now; never negative. */
double tide_level(const tide_gauge *gauge);

tide_gauge *tide_gauge_open(const char *port, tide_correction correct);

void tide_gauge_close(tide_gauge *gauge);

static inline int tide_is_rising(enum tide_direction direction)
{
    return direction == TIDE_RISING;
}

#endif
