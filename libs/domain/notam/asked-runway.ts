/** The runway that a request names, with the NOTAM in force at the time of use. */
import { runwayEndOf } from '../airports/served.ts';
import type { KnownAirport, RunwayExit, ServedRunwayEnd } from '../airports/served.ts';
import { parseVariant } from '../airports/variant.ts';
import type { RunwayVariant } from '../airports/variant.ts';
import { isOtherDistance, numbersOf, saidBy, underId } from './airport.ts';
import { endUnderNotams } from './apply.ts';
import type { NotamReason, NumberedNotam, RunwayNotamState, RunwayUnderNotam } from './apply.ts';
import { notamsToRead } from './describe.ts';
import { isValidAt } from './types.ts';

type RunwayUse = 'landing' | 'takeoff';
export type RunwayFailure = 'AIRPORT_NOT_FOUND' | 'RUNWAY_NOT_FOUND' | 'RUNWAY_CLOSED' | 'NOTAM_NOT_VALID';

interface AskedRunway {
  end: ServedRunwayEnd;
  /** State with the NOTAM in force; null if no NOTAM is valid. */
  state: RunwayNotamState | null;
  /** State with the NOTAM in the runway id (`04L.N12`); null for the runway as published. */
  chosen: RunwayUnderNotam | null;
}

/** A NOTAM in force that changes a relevant distance but is not included in the figures. */
export interface NoticeInForce {
  /** Id of the runway with this NOTAM, as a request sends it. */
  runway: string;
  notam: string;
  text: string;
  availableM: number;
  /** Distance used in the figures. */
  usedM: number;
}

/** Refuses a runway that a NOTAM in force closes for this use, and a NOTAM that is not valid at the time. */
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
  // Most airports have no NOTAM, and then nothing below needs computing.
  const state = valid.length === 0 ? null : endUnderNotams(known.airport, end, valid, now);
  const isAsked = (under: RunwayUnderNotam) => numbersOf(under).join('.') === asked.notams.join('.');
  const named = state && asked.notams.length > 0 ? [state, ...state.variants] : [];
  const chosen = named.find(isAsked) ?? null;
  if (asked.notams.length > 0 && !chosen) return 'NOTAM_NOT_VALID';
  if (end.isClosed || state?.closedFor[use] || chosen?.closedFor[use]) return 'RUNWAY_CLOSED';
  return { end, state, chosen };
};

/** Why a runway with the NOTAM in its id is unavailable at a time. */
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

/** Distances that matter for each use of the runway. */
const distancesFor = {
  landing: ['lda'],
  takeoff: ['tora', 'toda', 'asda'],
} as const;

/** Whether NOTAM change a distance that matters for this use. */
export const changesUse = (
  use: RunwayUse,
  { distances }: ServedRunwayEnd,
  under: RunwayUnderNotam | null,
): boolean =>
  under !== null &&
  distancesFor[use].some((name) => isOtherDistance(under[`${name}M`], distances[name].valueM));

/** The runway id at this time: with each NOTAM in force that changes a distance that matters for this use. */
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

/** NOTAM in force that change a distance relevant to this use but are not included in the figures. */
export const inForceBeside = (
  { end, state, chosen }: AskedRunway,
  use: RunwayUse,
  usedM: number,
  availableM: (under: RunwayUnderNotam) => number,
  intersection: string | null = null,
): NoticeInForce[] =>
  (state?.variants ?? [])
    .filter((under) => under.isInForce && !under.closedFor[use] && changesUse(use, end, under))
    .filter(({ notams }) => !notams.every((notam) => chosen?.notams.includes(notam)))
    .map((under) => ({
      runway: underId(end.ident, under, intersection),
      ...saidBy(under),
      availableM: availableM(under),
      usedM,
    }));

/** Notices of NOTAM in force that the figures do not include, one sentence each. */
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
