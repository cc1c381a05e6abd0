import { intersectionDistances } from '../airports/answer.ts';
import { runwayEndOf } from '../airports/known.ts';
import type { KnownAirport } from '../airports/known.ts';
import { formatVariant, parseVariant } from '../airports/variant.ts';
import type { NotamVariant, ServedRunwayEnd } from '../airports/served.ts';
import { airportUnderNotams } from './airport.ts';
import type { NumberedNotam } from './airport.ts';
import type { RunwayNotamState } from './apply.ts';
import { noticesOf, withVariant } from './landing-runway.ts';
import type { LandingRunwayFailure } from './landing-runway.ts';
import { isValidAt } from './validity.ts';

/** A NOTAM in force that changes the takeoff run and is not in the figures. */
export interface TakeoffNotice {
  /** The runway with it, as a request sends it. */
  runway: string;
  notam: string;
  text: string;
  toraM: number;
  /** TORA of the figures, from the same place. */
  usedToraM: number;
}

/** A takeoff direction from its beginning or an intersection; distances include the chosen NOTAM. */
export interface TakeoffRunway {
  /** The requested runway id in normal form. */
  id: string;
  end: ServedRunwayEnd;
  /** From the beginning of the pavement to that of the takeoff run. */
  startM: number;
  toraM: number;
  todaM: number;
  asdaM: number;
  /** Closed by the NOTAM, from the beginning of the pavement. */
  closed: readonly { fromM: number; toM: number }[];
  isNotam: boolean;
  isClosedForLanding: boolean;
  notices: string[];
  noticesInForce: TakeoffNotice[];
}

export type TakeoffRunwayFailure = LandingRunwayFailure | 'INTERSECTION_NOT_FOUND';

interface Place {
  end: ServedRunwayEnd;
  intersection: string | null;
  /** From the beginning of the takeoff run as published. */
  entryM: number;
}

/** Distances of a direction from where the takeoff begins, with what a NOTAM says of it. */
const distancesFrom = (
  { end, entryM }: Place,
  variant: NotamVariant | null,
): Pick<TakeoffRunway, 'startM' | 'toraM' | 'todaM' | 'asdaM'> => {
  const closedM = variant?.closedStartM ?? 0;
  const changed = variant ? withVariant(end, variant) : end;
  const lostM = Math.max(0, entryM - closedM);
  return { startM: Math.max(closedM, entryM), ...intersectionDistances(changed, lostM) };
};

const noticesInForceOf = (
  place: Place,
  variants: readonly NotamVariant[],
  chosen: NotamVariant | null,
): TakeoffNotice[] => {
  const { toraM: usedToraM } = distancesFrom(place, chosen);
  return variants
    .filter(({ isInForce, isClosed, toraM }) => isInForce && !isClosed && toraM !== null)
    .filter(({ effects }) => !effects.every((effect) => chosen?.effects.includes(effect)))
    .map((variant) => ({
      runway: formatVariant({
        ident: place.end.ident,
        intersection: place.intersection,
        notams: variant.effects,
      }),
      notam: variant.notam,
      text: variant.text,
      toraM: distancesFrom(place, variant).toraM,
      usedToraM,
    }));
};

const closedOf = (lengthM: number, variant: NotamVariant | null): TakeoffRunway['closed'] => {
  const { closedStartM = 0, closedEndM = 0 } = variant ?? {};
  return [
    { fromM: 0, toM: closedStartM },
    { fromM: lengthM - closedEndM, toM: lengthM },
  ].filter(({ fromM, toM }) => toM > fromM);
};

const placeOf = (known: KnownAirport, end: ServedRunwayEnd, name: string | null): Place | null => {
  if (name === null) return { end, intersection: null, entryM: 0 };
  const wanted = name.trim().toUpperCase();
  const found = known.intersections.find((each) => each.ident === end.ident && each.name === wanted);
  return found ? { end, intersection: found.name, entryM: found.entryM } : null;
};

const answered = (
  place: Place,
  variants: readonly NotamVariant[],
  variant: NotamVariant | null,
  state: RunwayNotamState | null,
  numbers: readonly string[],
): TakeoffRunway => ({
  id: formatVariant({
    ident: place.end.ident,
    intersection: place.intersection,
    notams: variant?.effects ?? [],
  }),
  end: variant ? withVariant(place.end, variant) : place.end,
  closed: closedOf(place.end.lengthM, variant),
  ...distancesFrom(place, variant),
  isNotam: variant !== null && variant.toraM !== null,
  isClosedForLanding: state?.closedForLanding ?? false,
  notices: state ? noticesOf(state, variant, numbers, []) : [],
  noticesInForce: noticesInForceOf(place, variants, variant),
});

/**
 * The runway of a takeoff, `04L`, from an intersection `04L/A5` or with NOTAM `04L.N12`; `intersection` names one outside of the id. A
 * runway closed for takeoff by a NOTAM in force is refused.
 */
export const takeoffRunway = (
  known: KnownAirport | null,
  notams: readonly NumberedNotam[],
  runway: string,
  intersection: string | null,
  now: Date,
): TakeoffRunway | TakeoffRunwayFailure => {
  if (!known || known.airport.ends.length === 0) return 'AIRPORT_NOT_FOUND';
  const asked = parseVariant(runway);
  const end = asked && runwayEndOf(known, asked.ident);
  if (!end) return 'RUNWAY_NOT_FOUND';
  const place = placeOf(known, end, intersection ?? asked.intersection);
  if (!place) return 'INTERSECTION_NOT_FOUND';
  if (end.isClosed) return 'RUNWAY_CLOSED';
  const valid = notams.filter((notam) => isValidAt(notam, now));
  if (valid.length === 0)
    return asked.notams.length === 0 ? answered(place, [], null, null, []) : 'RUNWAY_NOT_FOUND';

  const { states, variants } = airportUnderNotams(known.airport, valid, now);
  const state = states.get(end.ident);
  if (!state) return 'RUNWAY_NOT_FOUND';
  if (state.closedForTakeoff) return 'RUNWAY_CLOSED';
  const ofEnd = variants.filter((each) => each.ident === end.ident);
  const variant = ofEnd.find((each) => each.effects.join('.') === asked.notams.join('.')) ?? null;
  if (asked.notams.length > 0 && !variant) return 'RUNWAY_NOT_FOUND';
  if (variant?.isClosed) return 'RUNWAY_CLOSED';
  const numbers = valid.filter(({ id }) => variant?.effects.includes(id)).map(({ number }) => number);
  return answered(place, ofEnd, variant, state, numbers);
};
