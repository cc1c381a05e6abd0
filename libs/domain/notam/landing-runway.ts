import { runwayEndOf } from '../airports/known.ts';
import type { KnownAirport } from '../airports/known.ts';
import { changedGeometry, exitsFromThreshold, geometryOf } from '../airports/runway-geometry.ts';
import type { RunwayGeometry } from '../airports/runway-geometry.ts';
import { formatVariant, parseVariant } from '../airports/variant.ts';
import type { NotamVariant, RunwayExit, ServedRunwayEnd } from '../airports/served.ts';
import { airportUnderNotams } from './airport.ts';
import type { NumberedNotam } from './airport.ts';
import { notamsToRead } from './describe.ts';
import { isValidAt } from './validity.ts';
import type { NotamReason, RunwayNotamState } from './apply.ts';

/** A landing direction with its exits. For a NOTAM variant the distances already include its effect. */
export interface LandingRunway {
  /** The requested runway id in normal form. */
  id: string;
  end: ServedRunwayEnd;
  /** From the landing threshold. */
  exits: RunwayExit[];
  geometry: RunwayGeometry;
  /** The chosen NOTAM reduces the landing distance. */
  isNotam: boolean;
  /** NOTAM in force that the figures do not include, one sentence each. */
  notices: string[];
  noticesInForce: NoticeInForce[];
}

export type LandingRunwayFailure = 'AIRPORT_NOT_FOUND' | 'RUNWAY_NOT_FOUND' | 'RUNWAY_CLOSED';

/** A NOTAM in force that changes the landing distance and is not in the figures. */
export interface NoticeInForce {
  /** The runway with it, as a request sends it. */
  runway: string;
  notam: string;
  text: string;
  ldaM: number;
  /** LDA of the figures. */
  usedLdaM: number;
}

/** NOTAM in force that the figures of a chosen variant do not include, one sentence each. */
export const noticesOf = (
  state: RunwayNotamState,
  chosen: NotamVariant | null,
  numbers: readonly string[],
  exits: readonly RunwayExit[],
): string[] => {
  const isIncluded = ({ notam, exit }: NotamReason): boolean =>
    exit === undefined && chosen !== null && numbers.includes(notam);
  const others = state.reasons.filter((reason) => !isIncluded(reason));
  return [
    ...others.flatMap(({ notam, text, exit }) => {
      if (exit === undefined) return [`NOTAM ${notam} in force, not in this calculation: ${text}.`];
      return exits.some(({ name }) => name === exit) ? [`Exit ${exit} is closed by NOTAM ${notam}.`] : [];
    }),
    ...notamsToRead(state.flagged).map(({ text }) => `Read NOTAM ${text}`),
  ];
};

const inForceOf = (
  end: ServedRunwayEnd,
  variants: readonly NotamVariant[],
  chosen: NotamVariant | null,
): NoticeInForce[] => {
  const usedM = chosen?.ldaM ?? end.distances.lda.valueM;
  return variants
    .filter(({ isInForce, isClosed, ldaM }) => isInForce && !isClosed && ldaM !== null)
    .filter(({ effects }) => !effects.every((effect) => chosen?.effects.includes(effect)))
    .map(({ effects, notam, text, ldaM }) => ({
      runway: formatVariant({ ident: end.ident, intersection: null, notams: effects }),
      notam,
      text,
      ldaM: ldaM ?? usedM,
      usedLdaM: usedM,
    }));
};

/** The direction with the distances of a NOTAM variant. */
export const withVariant = (end: ServedRunwayEnd, variant: NotamVariant): ServedRunwayEnd => {
  const { tora, toda, asda, lda } = end.distances;
  return {
    ...end,
    displacedThresholdM: variant.displacedThresholdM ?? end.displacedThresholdM,
    distances: {
      ...end.distances,
      tora: { ...tora, valueM: variant.toraM ?? tora.valueM },
      toda: { ...toda, valueM: variant.todaM ?? toda.valueM },
      asda: { ...asda, valueM: variant.asdaM ?? asda.valueM },
      lda: { source: variant.isLdaStated ? 'notam' : lda.source, valueM: variant.ldaM ?? lda.valueM },
    },
  };
};

/**
 * The runway of a landing request, `04L` or with NOTAM `04L.N12`, under the NOTAM of its airport that are not
 * cancelled. A take-off intersection is not a landing runway; a runway closed for landing by a NOTAM in force is
 * refused.
 */
export const landingRunway = (
  known: KnownAirport | null,
  notams: readonly NumberedNotam[],
  runway: string,
  now: Date,
): LandingRunway | LandingRunwayFailure => {
  if (!known || known.airport.ends.length === 0) return 'AIRPORT_NOT_FOUND';
  const asked = parseVariant(runway);
  const end = asked && runwayEndOf(known, asked.ident);
  if (!end || asked.intersection !== null) return 'RUNWAY_NOT_FOUND';
  const own = known.exits.filter((exit) => exit.ident === end.ident);
  if (end.isClosed) return 'RUNWAY_CLOSED';
  const valid = notams.filter((notam) => isValidAt(notam, now));
  // Most airports have none, and then nothing of the following has to be computed.
  if (valid.length === 0)
    return asked.notams.length === 0
      ? {
          id: end.ident,
          end,
          exits: own,
          geometry: geometryOf(end, own),
          isNotam: false,
          notices: [],
          noticesInForce: [],
        }
      : 'RUNWAY_NOT_FOUND';

  const { states, variants } = airportUnderNotams(known.airport, valid, now);
  const state = states.get(end.ident);
  if (!state) return 'RUNWAY_NOT_FOUND';
  if (state.closedForLanding) return 'RUNWAY_CLOSED';
  const ofEnd = variants.filter((each) => each.ident === end.ident);
  const variant = ofEnd.find((each) => each.effects.join('.') === asked.notams.join('.')) ?? null;
  if (asked.notams.length > 0 && !variant) return 'RUNWAY_NOT_FOUND';
  if (variant?.isClosed) return 'RUNWAY_CLOSED';
  const open = own.filter((exit) => !state.closedExits.includes(exit.name));
  const published = geometryOf(end, open);
  const changed = variant ? withVariant(end, variant) : end;
  const geometry = variant
    ? changedGeometry(published, {
        ...variant,
        landingStartM: changed.displacedThresholdM,
        ldaM: changed.distances.lda.valueM,
      })
    : published;
  const numbers = valid.filter(({ id }) => variant?.effects.includes(id)).map(({ number }) => number);
  return {
    id: formatVariant({ ident: end.ident, intersection: null, notams: variant?.effects ?? [] }),
    end: changed,
    exits: exitsFromThreshold(geometry),
    geometry,
    isNotam: variant !== null && variant.ldaM !== null,
    notices: noticesOf(state, variant, numbers, own),
    noticesInForce: inForceOf(end, ofEnd, variant),
  };
};
