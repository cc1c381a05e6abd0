import { runwayEndOf } from '../airports/known.ts';
import type { KnownAirport } from '../airports/known.ts';
import { changedGeometry, exitsFromThreshold, geometryOf } from '../airports/runway-geometry.ts';
import type { RunwayGeometry } from '../airports/runway-geometry.ts';
import { parseVariant } from '../airports/variant.ts';
import type { NotamVariant, RunwayExit, ServedRunwayEnd } from '../airports/served.ts';
import { airportUnderNotams } from './airport.ts';
import type { NumberedNotam } from './airport.ts';
import { isValidAt } from './validity.ts';
import type { RunwayNotamState } from './apply.ts';

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
}

export type LandingRunwayFailure = 'AIRPORT_NOT_FOUND' | 'RUNWAY_NOT_FOUND' | 'RUNWAY_CLOSED';

const noticesOf = (state: RunwayNotamState, chosen: NotamVariant | null): string[] => {
  const others = state.reasons.filter((reason) => reason.notam !== chosen?.notam);
  return [
    ...others.map(({ notam, text }) => `NOTAM ${notam} in force, not in this calculation: ${text}.`),
    ...state.flagged.map(({ notam, text }) => `Read NOTAM ${notam}: ${text}.`),
  ];
};

const withVariant = (end: ServedRunwayEnd, variant: NotamVariant): ServedRunwayEnd => {
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
 * The runway of a landing request, `04L` or with one NOTAM `04L.N12`, under the NOTAM of its airport that are not
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
    return asked.notam === null
      ? { id: end.ident, end, exits: own, geometry: geometryOf(end, own), isNotam: false, notices: [] }
      : 'RUNWAY_NOT_FOUND';

  const { states, variants } = airportUnderNotams(known.airport, valid, now);
  const state = states.get(end.ident);
  if (!state) return 'RUNWAY_NOT_FOUND';
  if (state.closedForLanding) return 'RUNWAY_CLOSED';
  const variant = variants.find((each) => each.ident === end.ident && each.effect === asked.notam) ?? null;
  if (asked.notam !== null && !variant) return 'RUNWAY_NOT_FOUND';
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
  return {
    id: variant ? `${end.ident}.N${variant.effect}` : end.ident,
    end: changed,
    exits: exitsFromThreshold(geometry),
    geometry,
    isNotam: variant !== null && variant.ldaM !== null,
    notices: noticesOf(state, variant),
  };
};
