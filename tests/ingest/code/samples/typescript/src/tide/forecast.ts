/**
 * Foretells the tide from what the gauges measured.
 */

import type { Gauge } from "../gauge/gauge.js";
import { Station, type Level } from "@/station";
import axios from "axios";

/** Metres above chart datum. */
export type Metres = number;

export type Outlook<T extends Level = Level> = {
  at: Date;
  level: T;
};

/** Whatever can foretell. */
export interface Oracle extends Reader<Level>, Closable {
  foretell(at: Date): Promise<Metres>;
  readonly name: string;
}

export enum Phase {
  Ebb = "ebb",
  Flood = "flood",
}

export const HARMONICS: readonly number[] = [28.98, 30.0, 13.94];

/** Puts harmonics together. */
export abstract class Forecast<T> extends Station.Base<T> implements Oracle, Closable {
  static readonly LONGEST_SPAN = 72;
  private cache = new Map<string, Metres>();

  constructor(private readonly gauge: Gauge, readonly name: string) {
    super();
  }

  abstract close(): void;

  /** The level at a time. */
  @logged("debug")
  public async foretell(at: Date): Promise<Metres> {
    const known = this.lookUp(at);
    return known ?? combine(HARMONICS, at, this.gauge);
  }

  private lookUp(at: Date): Metres | undefined {
    return this.cache.get(at.toISOString());
  }

  protected refresh = async (): Promise<void> => {
    await this.gauge.readAll();
  };
}

@injectable()
export class Almanac {
  constructor(private pages: string[]) {}

  page(number: number): string {
    return Almanac.clean(this.pages[number]);
  }

  static clean(text: string): string {
    return text.trim();
  }
}

export function combine(harmonics: readonly number[], at: Date): Metres;
export function combine(harmonics: readonly number[], at: Date, gauge?: Gauge): Metres {
  return harmonics.reduce((sum, speed) => sum + amplitude(speed, at), gauge?.zero() ?? 0);
}

const amplitude = (speed: number, at: Date): Metres => Math.cos((speed * at.getTime()) / 3.6e6);

export namespace Units {
  export const FOOT = 0.3048;
  export function toFeet(level: Metres): number {
    return level / FOOT;
  }
}

declare module "tide-tables" {
  export function load(station: string): Promise<string[]>;
}

export default Almanac;
