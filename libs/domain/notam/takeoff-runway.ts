import { intersectionDistances } from '../airports/answer.ts';
import type { KnownAirport, ServedRunwayEnd } from '../airports/served.ts';
import { parseVariant } from '../airports/variant.ts';
import { endUnder, underId } from './airport.ts';
import type { NumberedNotam, RunwayUnderNotam } from './apply.ts';
import { askedRunway, changesUse, inForceBeside, noticesOf } from './asked-runway.ts';
import type { RunwayFailure } from './asked-runway.ts';

type TakeoffDistances = ReturnType<typeof intersectionDistances>;

type TakeoffRunwayFailure = RunwayFailure | 'INTERSECTION_NOT_FOUND';
export type TakeoffRunway = Exclude<ReturnType<typeof takeoffRunway>, TakeoffRunwayFailure>;

/** `entryM` is measured from the published start of the takeoff run. */
const distancesFrom = (
  end: ServedRunwayEnd,
  entryM: number,
  under: RunwayUnderNotam | null,
): TakeoffDistances =>
  intersectionDistances(endUnder(end, under), Math.max(0, entryM - (under?.closedStartM ?? 0)));

/** Parts closed by the NOTAM, measured from the beginning of the pavement. */
const closedOf = (lengthM: number, under: RunwayUnderNotam | null) => {
  const { closedStartM = 0, closedEndM = 0 } = under ?? {};
  return [
    { fromM: 0, toM: closedStartM },
    { fromM: lengthM - closedEndM, toM: lengthM },
  ].filter(({ fromM, toM }) => toM > fromM);
};

/** If a NOTAM states the TORA from an intersection, the other distances are reduced equally. */
const withStatedRun = (distances: TakeoffDistances, statedM = Infinity): TakeoffDistances => {
  const lostM = Math.max(0, distances.toraM - statedM);
  const { toraM, todaM, asdaM } = distances;
  return { toraM: toraM - lostM, todaM: todaM - lostM, asdaM: asdaM - lostM };
};

/** A takeoff runway: `04L`, from an intersection `04L/A5`, with a NOTAM `04L.N12`, or with a separate `intersection`. */
export const takeoffRunway = (
  known: KnownAirport | null,
  notams: readonly NumberedNotam[],
  runway: string,
  intersection: string | null,
  now: Date,
) => {
  const asked = parseVariant(runway);
  const found = askedRunway(known, notams, asked, 'takeoff', now);
  if (typeof found === 'string') return found;
  const { end, state, chosen } = found;
  const wanted = (intersection ?? asked?.intersection)?.trim().toUpperCase();
  const place = known?.intersections.find(({ ident, name }) => ident === end.ident && name === wanted);
  if (wanted !== undefined && !place) return 'INTERSECTION_NOT_FOUND' as const;
  const { name = null, entryM = 0 } = place ?? {};
  const used = distancesFrom(end, entryM, chosen);
  return {
    /** The requested runway id, normalised. */
    id: underId(end.ident, chosen, name),
    end: endUnder(end, chosen),
    /** From the beginning of the pavement to the start of the takeoff run. */
    startM: Math.max(chosen?.closedStartM ?? 0, entryM),
    ...used,
    closed: closedOf(end.lengthM, chosen),
    /** Distances under all NOTAM in force from the same start; null if none is in force. */
    inForce: state && withStatedRun(distancesFrom(end, entryM, state), state.intersectionsM[name ?? '']),
    /** LDA under all NOTAM in force, for a return; null if none is in force. */
    ldaInForceM: state?.ldaM ?? null,
    isClosedForLanding: state?.closedFor.landing ?? false,
    isNotam: changesUse('takeoff', end, chosen),
    notices: noticesOf(found, []),
    /** About the takeoff run from the same start. */
    noticesInForce: inForceBeside(
      found,
      'takeoff',
      used.toraM,
      (under) => distancesFrom(end, entryM, under).toraM,
      name,
    ),
  };
};
