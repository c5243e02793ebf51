/*
 * Copyright 2026 The Saltmarsh Authors.
 * Licensed under the Apache License, Version 2.0.
 */
package com.saltmarsh.harbour;

import com.saltmarsh.tide.Forecast;
import com.saltmarsh.tide.model.*;
import java.util.List;
import java.util.Map;
import static com.saltmarsh.duty.Rosters.onDuty;

/**
 * Delivers storm warnings, one after the other.
 *
 * @param <W> what is delivered
 */
@Service
@SuppressWarnings("unchecked")
public abstract class Courier<W extends Warning> extends Messenger<W> implements Channel, AutoCloseable {

    /** How often a warning is tried. */
    public static final int MOST_ATTEMPTS = 5;
    private static final Map<String, Integer> PAUSES = Map.of("sms", 4, "siren", 0);

    private final Forecast forecast;

    public Courier(Forecast forecast) {
        super("courier");
        this.forecast = forecast;
    }

    /**
     * Tries until the warning arrives.
     */
    @Override
    public Delivery deliver(final W warning, @Nullable List<String> names)
            throws LostException {
        String text = this.shorten(warning.text());
        for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
            if (onDuty(names) && Siren.wail(text)) {
                return Delivery.ARRIVED;
            }
        }
        Runnable late = new Runnable() {
            public void run() {
                forecast.refresh();
            }
        };
        throw new LostException(warning);
    }

    String shorten(String text) {
        return text.substring(0, 160);
    }

    protected abstract void announce(W warning);

    /** What became of a warning. */
    public enum Delivery implements Described {
        ARRIVED,
        LOST;

        public String describe() {
            return name().toLowerCase();
        }
    }

    static class LostException extends com.saltmarsh.errors.Failure {
        LostException(Object warning) {
            super(warning.toString());
        }
    }
}

/** A way to reach somebody. */
interface Channel extends Named, java.io.Closeable {
    int LONGEST = 160;

    boolean send(String text);

    default boolean retry(String text) {
        return send(text);
    }
}

record Warning(String text, int level) implements Comparable<Warning> {
    Warning {
        if (level < 0) {
            throw new IllegalArgumentException("level");
        }
    }

    public int compareTo(Warning other) {
        return Integer.compare(level, other.level);
    }
}

@interface Urgent {
    int value() default 1;
}
