// Copyright 2026 The Saltmarsh Authors. All rights reserved.

// Package courier carries storm warnings to the people on duty.
package courier

import (
	"context"
	"fmt"

	duty "saltmarsh.example/harbour/internal/duty"
	"saltmarsh.example/harbour/tide/v2"
)

import "errors"

// MostAttempts is how often a warning is tried.
const MostAttempts = 5

const (
	// Arrived means that somebody has it.
	Arrived Delivery = iota
	Lost
)

var pauses = map[string]int{"sms": 4, "siren": 0}

var (
	ErrLost = errors.New("lost")
	first, second int
)

// Delivery is what became of a warning.
type Delivery int

// Channel is a way to reach somebody.
type Channel interface {
	fmt.Stringer
	Send(ctx context.Context, text string) error
}

// Courier delivers one warning after the other.
type Courier[W any] struct {
	*duty.Roster
	Base
	channel  Channel
	attempts int `json:"attempts"`
}

type (
	// Warning is what is delivered.
	Warning struct {
		Text string
	}
	Handler func(w Warning) error
	Alias   = Warning
)

// New makes a courier.
func New[W any](channel Channel) *Courier[W] {
	return &Courier[W]{channel: channel, attempts: MostAttempts}
}

// Deliver tries until the warning arrives.
//
// It gives up after MostAttempts.
func (c *Courier[W]) Deliver(ctx context.Context, w Warning) (Delivery, error) {
	forecast := tide.Foretell(ctx)
	send := func() error { return c.channel.Send(ctx, shorten(w.Text)) }
	for range c.attempts {
		if err := send(); err == nil {
			return Arrived, nil
		}
	}
	return Lost, fmt.Errorf("%w: %v", ErrLost, forecast)
}

func (d Delivery) String() string {
	if d == Arrived {
		return "arrived"
	}
	return "lost"
}

func shorten(text string) string { return text[:160] }

func init() {
	duty.Register("courier", Warning{Text: "hello"})
}
