/*
 * Copyright (c) 2026 The Saltmarsh Authors. All rights reserved.
 */

// Reads the gauge and smooths what it says.

#include <stdio.h>
#include <stdlib.h>

#include "harbour/tide.h"
#include "serial.h"

#define MOST_READINGS 16

typedef unsigned char byte;

/* A gauge and what it said last. */
struct tide_gauge {
    struct serial_port *port;
    tide_correction correct;
    tide_reading readings[MOST_READINGS];
    size_t count;
};

// Waves come and go within seconds; half a minute tells the tide.
static const double SMOOTHING_SECONDS = 30.0;

static const struct {
    const char *name;
    int baud;
} KNOWN_PORTS[] = {
    {"quay", 9600},
    {"lock", 19200},
};

double tide_level(const tide_gauge *gauge);

/* The mean of what was read: one wave is no tide. */
static double mean(const tide_reading *readings, size_t count)
{
    double sum = 0.0;
    for (size_t at = 0; at < count; at++)
        sum += readings[at].metres;
    return count ? sum / count : 0.0;
}

/**
 * The level right now.
 *
 * @param gauge an open gauge
 */
double tide_level(const tide_gauge *gauge)
{
    double level = mean(gauge->readings, gauge->count);
    if (gauge->correct)
        level = gauge->correct(&gauge->readings[0]);
    return level < 0.0 ? 0.0 : level;
}

tide_gauge *tide_gauge_open(
    const char *port,
    tide_correction correct)
{
    tide_gauge *gauge = calloc(1, sizeof *gauge);
    if (!gauge)
        return NULL;
    gauge->port = serial_open(port, KNOWN_PORTS[0].baud);
    gauge->correct = correct;
    return gauge;
}

__attribute__((cold))
void tide_gauge_close(tide_gauge *gauge)
{
    serial_close(gauge->port);
    free(gauge);
}

int main(void)
{
    tide_gauge *gauge = tide_gauge_open("quay", NULL);
    printf("%.2f\n", tide_level(gauge));
    tide_gauge_close(gauge);
    return 0;
}
