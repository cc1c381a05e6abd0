import { differencesOf } from '../record.ts';
import { diffAirport } from './changes.ts';
import type { RunwayRename } from './aliases.ts';
import type { RunwayComment } from './changes.ts';
import type { ImportComparison } from './guard.ts';
import type { Airport, AirportSource } from './types.ts';

/** What an import has to write; all else is unchanged. */
export interface ImportPlan {
  /** New or changed airports (their own columns only). */
  airports: Airport[];
  /** Airports with a new, changed or removed runway end; all their runway ends are rewritten. */
  runwaysOf: Airport[];
  /** ICAO codes missing from the source. */
  removed: string[];
  /** Changelog entries. */
  changes: { icao: string; runways: RunwayComment[] }[];
  renames: (RunwayRename & { icao: string })[];
  comparison: ImportComparison;
  added: number;
}

const isSameData = (a: unknown, b: unknown): boolean => differencesOf(a, b).length === 0;

const lengthChanged = (before: Airport, after: Airport): number => {
  const old = new Map(before.ends.map((end) => [end.ident, end.lengthM]));
  return after.ends.filter((end) => {
    const previous = old.get(end.ident);
    return previous !== undefined && Math.abs(previous - end.lengthM) > previous * 0.1;
  }).length;
};

/** A source never overwrites a better one. */
const rank: Readonly<Record<AirportSource, number>> = { ourairports_seed: 0, faa_nasr: 1, ourairports: 2 };

/** A partial import (one country, or the simulated world) does not replace the whole seed. */
const isWorld = (stored: ReadonlyMap<string, Airport>, imported: readonly Airport[]): boolean =>
  imported.length >= [...stored.values()].filter(({ source }) => source !== 'ourairports').length;

/**
 * Compares a complete import of one source with the stored data. A source removes only airports that it added; a
 * worldwide import also those of the seed. The first import of a source has no changelog.
 */
export const planImport = (
  source: AirportSource,
  stored: ReadonlyMap<string, Airport>,
  imported: readonly Airport[],
): ImportPlan => {
  const plan: ImportPlan = {
    airports: [],
    runwaysOf: [],
    removed: [],
    changes: [],
    renames: [],
    comparison: {
      previous: { airports: 0, runwayEnds: 0 },
      next: { airports: imported.length, runwayEnds: 0 },
      lengthChanged: 0,
    },
    added: 0,
  };
  const { previous, next } = plan.comparison;
  const seen = new Set<string>();
  const isFirst = ![...stored.values()].some((airport) => airport.source === source);
  const note = (before: Airport | null, after: Airport | null) => {
    const change = diffAirport(before, after);
    if (!change) return;
    const { icao, runways, renames } = change;
    if (!isFirst) plan.changes.push({ icao, runways });
    plan.renames.push(...renames.map((rename) => ({ ...rename, icao })));
  };
  for (const airport of imported) {
    seen.add(airport.icao);
    next.runwayEnds += airport.ends.length;
    const before = stored.get(airport.icao) ?? null;
    if (before && rank[before.source] > rank[source]) continue;
    if (!before) plan.added += 1;
    if (!before || !isSameData({ ...before, ends: null }, { ...airport, ends: null }))
      plan.airports.push(airport);
    if (!before || !isSameData(before.ends, airport.ends)) {
      plan.runwaysOf.push(airport);
      note(before, airport);
      if (before?.source === source) plan.comparison.lengthChanged += lengthChanged(before, airport);
    }
  }
  const endsSeed = source === 'ourairports' && isWorld(stored, imported);
  for (const airport of stored.values()) {
    if (airport.source === source) {
      previous.airports += 1;
      previous.runwayEnds += airport.ends.length;
    } else if (!endsSeed || airport.source !== 'ourairports_seed') continue;
    if (seen.has(airport.icao)) continue;
    plan.removed.push(airport.icao);
    note(airport, null);
  }
  return plan;
};
