import { diffAirport } from './changes.ts';
import type { RunwayRename } from './aliases.ts';
import type { RunwayComment } from './changes.ts';
import { sameData } from './equal.ts';
import type { ImportComparison } from './guard.ts';
import type { Airport, AirportSource } from './types.ts';

/** What an import has to write; everything else is unchanged. */
export interface ImportPlan {
  /** New or changed airports (their own columns only). */
  airports: Airport[];
  /** Airports of which any runway direction is new, changed or gone: all their directions are rewritten. */
  runwaysOf: Airport[];
  /** ICAO codes that the source no longer has. */
  removed: string[];
  /** Changelog entries. */
  changes: { icao: string; runways: RunwayComment[] }[];
  renames: (RunwayRename & { icao: string })[];
  comparison: ImportComparison;
  added: number;
}

const sameHead = (a: Airport, b: Airport): boolean => sameData({ ...a, ends: null }, { ...b, ends: null });

const lengthChanged = (before: Airport, after: Airport): number => {
  const old = new Map(before.ends.map((end) => [end.ident, end.lengthM]));
  return after.ends.filter((end) => {
    const previous = old.get(end.ident);
    return previous !== undefined && Math.abs(previous - end.lengthM) > previous * 0.1;
  }).length;
};

/**
 * Compares a complete import of one source with the stored data. A source removes only airports it added
 * itself, and the seed never overwrites the world import. The first import of a source gives no changelog.
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
    if (before && source === 'faa_nasr' && before.source !== 'faa_nasr') continue;
    if (!before) plan.added += 1;
    if (!before || !sameHead(before, airport)) plan.airports.push(airport);
    if (!before || !sameData(before.ends, airport.ends)) {
      plan.runwaysOf.push(airport);
      note(before, airport);
      if (before) plan.comparison.lengthChanged += lengthChanged(before, airport);
    }
  }
  for (const airport of stored.values()) {
    if (airport.source !== source) continue;
    previous.airports += 1;
    previous.runwayEnds += airport.ends.length;
    if (seen.has(airport.icao)) continue;
    plan.removed.push(airport.icao);
    note(airport, null);
  }
  return plan;
};
