/** What documents and pictures of a flight show, stored until a worker draws them: words and numbers, in the units of the reader. */
import type { ChecklistDocument } from '../checklists/document.ts';
import type { RouteProfile } from '../weather/profile.ts';

export interface Fact {
  name: string;
  value: string;
}

/** The vertical profile of a route with its title and what it depends on. */
export interface ProfileScene {
  title: string;
  facts: Fact[];
  profile: RouteProfile;
  notes: string[];
}

/** A part of the document that is a list; `left` is how many more there are than it has. */
export interface PrintedList<T> {
  items: T[];
  left: number;
}

export interface PrintedNotam {
  /** `KJFK A0123/26`. */
  heading: string;
  /** What it changes, `planned runway`; empty without an effect. */
  effect: string;
  text: string;
}

export interface PrintedHazard {
  heading: string;
  crosses: boolean;
  text: string;
}

export interface BriefingDocument {
  title: string;
  facts: Fact[];
  /** Departure, destination, then alternates. */
  airports: { heading: string; lines: Fact[] }[];
  /** Takeoff and landing; `problem` in place of facts. */
  performance: { heading: string; facts: Fact[]; problem: string | null }[];
  /** Those with an effect first. */
  notams: PrintedList<PrintedNotam>;
  hazards: PrintedList<PrintedHazard>;
  /** Reports of pilots and aircraft near the route. */
  pireps: PrintedList<{ heading: string; text: string }>;
  /** Rows of as many cells as the head has; null without a route. */
  legs: { head: string[]; rows: string[][]; note: string } | null;
  /** Age of the data and units. */
  notes: string[];
  /** ISO 8601; the date of the file. */
  madeAt: string;
}

/** A checklist on paper. */
export interface PrintedChecklist {
  name: string;
  version: string;
  description: string | null;
  aircraftTypes: readonly string[];
  pages: ChecklistDocument['checklists'];
  /** ISO 8601; the date of the file. */
  madeAt: string;
}

/** A route from above; places in pixels, x then y. */
export interface MapScene {
  title: string;
  facts: Fact[];
  /** Outlines, each a list of x, y, x, y. */
  land: number[][];
  route: number[];
  points: { x: number; y: number; ident: string | null; isEnd: boolean }[];
  notes: string[];
}

export interface PrintContent {
  /** The stored plan that it shows; its files end with the right to read it. */
  ofpId?: string | null;
  document: BriefingDocument | null;
  profile: ProfileScene | null;
  checklist?: PrintedChecklist | null;
  map?: MapScene | null;
}
