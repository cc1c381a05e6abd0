/** The runway that a request names, with what NOTAM make of it at the time of use. */
import { runwayEndOf } from '../airports/served.ts';
import type { KnownAirport, RunwayExit, ServedRunwayEnd } from '../airports/served.ts';
import { parseVariant } from '../airports/variant.ts';
import type { RunwayVariant } from '../airports/variant.ts';
import { endUnderNotams, isOtherDistance, numbersOf, saidBy, underId } from './airport.ts';
import type { NumberedNotam } from './airport.ts';
import type { NotamReason, RunwayNotamState, RunwayUnderNotam } from './apply.ts';
import { notamsToRead } from './describe.ts';
import { isValidAt } from './types.ts';

type RunwayUse = 'landing' | 'takeoff';
export type RunwayFailure = 'AIRPORT_NOT_FOUND' | 'RUNWAY_NOT_FOUND' | 'RUNWAY_CLOSED' | 'NOTAM_NOT_VALID';

interface AskedRunway {
  end: ServedRunwayEnd;
  /** What is in force; null without a valid NOTAM. */
  state: RunwayNotamState | null;
  /** With the NOTAM of the id, `04L.N12`; null: as published. */
  chosen: RunwayUnderNotam | null;
}

/** A NOTAM in force that changes a distance of the use and is not in the figures. */
export interface NoticeInForce {
  /** The runway with it, as a request sends it. */
  runway: string;
  notam: string;
  text: string;
  availableM: number;
  /** The distance of the figures. */
  usedM: number;
}

const isClosedFor = (use: RunwayUse, under: RunwayUnderNotam | null): boolean =>
  (use === 'landing' ? under?.closedForLanding : under?.closedForTakeoff) === true;

/** A runway closed for its use by a NOTAM in force is refused, and so is a NOTAM that is not valid at the time. */
export const askedRunway = (
  known: KnownAirport | null,
  notams: readonly NumberedNotam[],
  asked: RunwayVariant | null,
  use: RunwayUse,
  now: Date,
): AskedRunway | RunwayFailure => {
  if (!known || known.airport.ends.length === 0) return 'AIRPORT_NOT_FOUND';
  const end = asked && runwayEndOf(known, asked.ident);
  if (!end) return 'RUNWAY_NOT_FOUND';
  const valid = notams.filter((notam) => isValidAt(notam, now));
  // Most airports have none, and then nothing of the following has to be computed.
  const state = valid.length === 0 ? null : endUnderNotams(known.airport, end, valid, now);
  const isAsked = (under: RunwayUnderNotam) => numbersOf(under).join('.') === asked.notams.join('.');
  const named = state && asked.notams.length > 0 ? [state, ...state.variants] : [];
  const chosen = named.find(isAsked) ?? null;
  if (asked.notams.length > 0 && !chosen) return 'NOTAM_NOT_VALID';
  if (end.isClosed || isClosedFor(use, state) || isClosedFor(use, chosen)) return 'RUNWAY_CLOSED';
  return { end, state, chosen };
};

/** Why a runway cannot be had with the NOTAM of its id at a time. */
export const whyNotValid = (notams: readonly NumberedNotam[], runway: string, at: Date): string => {
  const asked = parseVariant(runway);
  const said = (asked?.notams ?? []).flatMap((wanted) => {
    const found = notams.find(({ id }) => id === wanted);
    if (!found) return [`NOTAM N${wanted} is over, cancelled or not known`];
    if (isValidAt(found, at)) return [];
    const { number, fromUtc, toUtc } = found;
    return [
      Date.parse(fromUtc) > at.getTime()
        ? `NOTAM ${number} begins only at ${fromUtc}`
        : `NOTAM ${number} was over at ${toUtc}`,
    ];
  });
  const why = said.length > 0 ? said.join(', ') : 'these NOTAM do not change it together';
  return `Runway ${runway}: ${why}. Its id without NOTAM is ${asked?.ident}.`;
};

/** Distances that a use of the runway needs. */
const distancesFor = {
  landing: ['lda'],
  takeoff: ['tora', 'toda', 'asda'],
} as const;

/** Whether NOTAM change a distance that the use needs. */
export const changesUse = (
  use: RunwayUse,
  { distances }: ServedRunwayEnd,
  under: RunwayUnderNotam | null,
): boolean =>
  under !== null &&
  distancesFor[use].some((name) => isOtherDistance(under[`${name}M`], distances[name].valueM));

/** The id of a runway as it is at the time: with every NOTAM in force that changes a distance of the use. */
export const idInForce = (
  known: KnownAirport | null,
  notams: readonly NumberedNotam[],
  ident: string,
  use: RunwayUse,
  now: Date,
): string => {
  const found = askedRunway(known, notams, { ident, intersection: null, notams: [] }, use, now);
  return typeof found === 'object' && changesUse(use, found.end, found.state)
    ? underId(found.end.ident, found.state)
    : ident;
};

/** NOTAM in force that change a distance of the use and are not in the figures. */
export const inForceBeside = (
  { end, state, chosen }: AskedRunway,
  use: RunwayUse,
  intersection: string | null = null,
): { runway: string; notam: string; text: string; under: RunwayUnderNotam }[] =>
  (state?.variants ?? [])
    .filter((under) => under.isInForce && !isClosedFor(use, under) && changesUse(use, end, under))
    .filter(({ notams }) => !notams.every((notam) => chosen?.notams.includes(notam)))
    .map((under) => ({ runway: underId(end.ident, under, intersection), ...saidBy(under), under }));

/** NOTAM in force that the figures do not include, one sentence each. */
export const noticesOf = ({ state, chosen }: AskedRunway, exits: readonly RunwayExit[]): string[] => {
  const isIncluded = ({ notam, exit }: NotamReason): boolean =>
    exit === undefined && chosen !== null && chosen.notams.some(({ number }) => number === notam);
  return [
    ...(state?.reasons ?? [])
      .filter((reason) => !isIncluded(reason))
      .flatMap(({ notam, text, exit }) => {
        if (exit === undefined) return [`NOTAM ${notam} in force, not in this calculation: ${text}.`];
        return exits.some(({ name }) => name === exit) ? [`Exit ${exit} is closed by NOTAM ${notam}.`] : [];
      }),
    ...notamsToRead(state?.flagged ?? []).map(({ text }) => `Read NOTAM ${text}`),
  ];
};
