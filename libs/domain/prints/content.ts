/**
 * Contents of printed documents and drawings of a flight, stored until a worker draws them: words and numbers in the
 * reader's units.
 */
import type { ChecklistDocument } from '../checklists/document.ts';
import type { RouteProfile } from '../weather/profile.ts';
import type { ChecklistHead } from '../checklists/file.ts';

export interface Fact {
  name: string;
  value: string;
}

/** A route's vertical profile, with its title and the inputs it depends on. */
export interface ProfileScene {
  title: string;
  facts: Fact[];
  profile: RouteProfile;
  notes: string[];
}

/** A list in the document; `left` counts the entries that were omitted. */
export interface PrintedList<T> {
  items: T[];
  left: number;
}

export interface PrintedNotam {
  /** `KJFK A0123/26`. */
  heading: string;
  /** Its effect, `planned runway`; empty without one. */
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
  /** Takeoff and landing; `problem` instead of facts. */
  performance: { heading: string; facts: Fact[]; problem: string | null }[];
  /** NOTAM with an effect first. */
  notams: PrintedList<PrintedNotam>;
  hazards: PrintedList<PrintedHazard>;
  /** Pilot and aircraft reports near the route. */
  pireps: PrintedList<{ heading: string; text: string }>;
  /** Rows with as many cells as the head; null without a route. */
  legs: { head: string[]; rows: string[][]; note: string } | null;
  /** Age of the data and units. */
  notes: string[];
  /** ISO 8601; the date of the file. */
  madeAt: string;
}

/** A printed checklist. */
export interface PrintedChecklist extends ChecklistHead {
  pages: ChecklistDocument['checklists'];
  /** ISO 8601; the date of the file. */
  madeAt: string;
}

/** A map of a route; positions in pixels, x then y. */
export interface MapScene {
  title: string;
  facts: Fact[];
  /** Outlines, each as x, y, x, y, … */
  land: number[][];
  route: number[];
  points: { x: number; y: number; ident: string | null; isEnd: boolean }[];
  notes: string[];
}

export interface PrintContent {
  /** The plan shown, if stored; the files are deleted when the right to read it ends. */
  ofpId?: string | null;
  document: BriefingDocument | null;
  profile: ProfileScene | null;
  checklist?: PrintedChecklist | null;
  map?: MapScene | null;
}
