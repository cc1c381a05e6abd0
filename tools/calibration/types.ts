import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { CalcCase } from '#domain/performance/calc.ts';

/** Unit of the error of a point: relative in percent, or absolute in the unit of the value. */
type ErrorKind = 'percent' | 'kg' | 'kt' | 'gradient';

/** A published number and how to compute it: a `npm run calc` case with a path, or a function of the profile. */
export type Point = {
  group: string;
  name: string;
  expected: number;
  error: ErrorKind;
  /** weight in the fit; 0: not fitted */
  weight: number;
} & ({ input: CalcCase; path: string } | { evaluate: (profile: AircraftProfile) => number });

/** A parameter that the fit may change: dotted path in the profile, list entries by `code` or `value`. */
export interface Parameter {
  path: string;
  min: number;
  max: number;
}

/** The published numbers that an aircraft is fitted to and measured by. */
export interface Dataset {
  sources: string[];
  /** weight of points from a file of outside points, relative to those in the repository (1) */
  outsideWeight?: number;
  points: Point[];
  /**
   * fitted one after the other, each to the groups whose names start with one of `groups`, the rest held fixed
   */
  stages: { groups: string[]; parameters: Parameter[] }[];
  /** paths whose values must not decrease in this order (delays of brake modes, friction by code) */
  rising?: string[][];
  /** penalty for leaving a physical value: path, value, and the deviation that counts as one */
  priors?: { path: string; value: number; scale: number }[];
}
