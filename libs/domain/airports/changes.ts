import { findRenames } from './aliases.ts';
import type { RunwayRename } from './aliases.ts';
import type { Airport, RunwayEnd } from './types.ts';

/** An entry of the public changelog: the runway end and what changed. */
export interface RunwayComment {
  id: string;
  comment: string;
}

interface AirportChange {
  icao: string;
  runways: RunwayComment[];
  renames: RunwayRename[];
}

const metres = (value: number): string => `${Math.round(value)} m`;

/** Smaller differences are a matter of rounding. */
const differs = (a: number, b: number): boolean => Math.abs(a - b) >= 1;

const describe = (before: RunwayEnd, after: RunwayEnd): string[] => {
  const parts: string[] = [];
  const change = (label: string, from: number, to: number) => {
    if (differs(from, to)) parts.push(`${label} ${metres(from)} to ${metres(to)}`);
  };
  if (before.isClosed !== after.isClosed) parts.push(after.isClosed ? 'closed' : 'opened');
  change('length', before.lengthM, after.lengthM);
  change('width', before.widthM ?? 0, after.widthM ?? 0);
  change('displaced threshold', before.displacedThresholdM, after.displacedThresholdM);
  for (const kind of ['tora', 'toda', 'asda', 'lda'] as const) {
    const from = before.distances[kind];
    const to = after.distances[kind];
    // A derived distance changes with the length and the threshold, which are already listed.
    const isListed =
      kind !== 'lda' ||
      differs(before.lengthM, after.lengthM) ||
      differs(before.displacedThresholdM, after.displacedThresholdM);
    if (isListed && from.source === 'derived' && to.source === 'derived') continue;
    change(kind.toUpperCase(), from.valueM, to.valueM);
  }
  if (before.surface !== after.surface) parts.push(`surface ${before.surface} to ${after.surface}`);
  return parts;
};

/**
 * The changes to an airport's runway ends that matter to a pilot; null if there are none. `before` null: a new airport.
 * `after` null: no longer in the source.
 */
export const diffAirport = (before: Airport | null, after: Airport | null): AirportChange | null => {
  const icao = after?.icao ?? before?.icao;
  if (icao === undefined) return null;
  if (!after) {
    const gone = (before?.ends ?? []).map(({ ident }) => ({ id: ident, comment: 'removed' }));
    return gone.length === 0 ? null : { icao, runways: gone, renames: [] };
  }
  const old = new Map((before?.ends ?? []).map((end) => [end.ident, end]));
  const renames = before ? findRenames(before.ends, after.ends) : [];
  const oldNames = new Map(renames.map(({ oldIdent, newIdent }) => [newIdent, oldIdent]));
  const runways: RunwayComment[] = [];
  for (const end of after.ends) {
    const oldIdent = oldNames.get(end.ident);
    const previous = old.get(end.ident) ?? (oldIdent === undefined ? undefined : old.get(oldIdent));
    const parts = previous ? describe(previous, end) : [`new, ${metres(end.lengthM)}`];
    if (oldIdent !== undefined) parts.unshift(`renamed from ${oldIdent}`);
    if (parts.length > 0) runways.push({ id: end.ident, comment: parts.join(', ') });
  }
  const kept = new Set([...after.ends.map((end) => end.ident), ...oldNames.values()]);
  for (const ident of old.keys()) {
    if (!kept.has(ident)) runways.push({ id: ident, comment: 'removed' });
  }
  return runways.length === 0 ? null : { icao, runways, renames };
};
