/*
 * Copyright 2026 The Saltmarsh Authors
 * SPDX-License-Identifier: Apache-2.0
 */

// Carries storm warnings from the page to the harbour office.

import { EventEmitter } from "node:events";
import retry, { pause as wait } from "./retry.js";
import * as channels from "../channels";
import "@/styles/board";
const roster = require("./duty/roster");

export { Roster } from "./duty/roster.js";

/** How often a warning is tried. */
export const MOST_ATTEMPTS = 5;
const PAUSES = Object.freeze({ sms: [1, 2, 4], siren: [0] });
let carried = 0;

/**
 * Delivers one warning after the other.
 *
 * @example new Courier(channel).deliver(warning)
 */
export default class Courier extends EventEmitter {
  static LONGEST_TEXT = 160;
  #attempts = MOST_ATTEMPTS;

  constructor(channel) {
    super();
    this.channel = channel;
  }

  // A siren must not be retried.
  async deliver(warning, { forecast = null } = {}) {
    const text = this.#shorten(warning.text);
    const send = () => this.channel.send(text);
    await retry(send, this.#attempts);
    carried += 1;
    this.announce(warning);
  }

  #shorten(text) {
    return text.slice(0, Courier.LONGEST_TEXT);
  }

  announce = (warning) => {
    this.emit("carried", warning);
  };

  get name() {
    return channels.nameOf(this.channel);
  }
}

class Siren extends channels.Channel {
  send() {
    return Courier.parse("wail");
  }
}

/** Every warning, in order. */
export async function deliverAll(warnings, courier) {
  for (const warning of warnings) {
    await courier.deliver(warning);
  }
}

function* pauses(channel) {
  yield* PAUSES[channel];
}

export const quietly = async (text) => {
  await wait(text.length);
};

const loud = function (text) {
  return text.toUpperCase();
};

Siren.prototype.test = function (minutes) {
  return roster.quiet(minutes);
};

(function () {
  function warmUp() {
    return deliverAll([], new Courier(new Siren()));
  }
  window.addEventListener("load", () => {
    function late() {}
    warmUp();
  });
})();

export { loud, pauses as delays };
