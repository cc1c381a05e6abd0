import type { KnownAirport, RunwayExit, ServedRunwayEnd } from '../airports/served.ts';
import { changedGeometry, exitsFromThreshold, geometryOf } from '../airports/runway-geometry.ts';
import type { RunwayGeometry } from '../airports/runway-geometry.ts';
import { parseVariant } from '../airports/variant.ts';
import { endUnder, underId } from './airport.ts';
import type { NumberedNotam } from './airport.ts';
import { askedRunway, changesUse, inForceBeside, noticesOf } from './asked-runway.ts';
import type { NoticeInForce, RunwayFailure } from './asked-runway.ts';

/** The runway end for a landing, with its exits. Distances of a NOTAM variant already include the NOTAM's effect. */
export interface LandingRunway {
  /** The requested runway id, normalised. */
  id: string;
  end: ServedRunwayEnd;
  /** Exits with distances from the landing threshold. */
  exits: RunwayExit[];
  geometry: RunwayGeometry;
  /** LDA with every NOTAM in force; null if none is in force. */
  ldaInForceM: number | null;
  /** The chosen NOTAM reduces the landing distance. */
  isNotam: boolean;
  /** NOTAM in force that the figures do not include, one sentence each. */
  notices: string[];
  /** Notices about the landing distance. */
  noticesInForce: NoticeInForce[];
}

/**
 * The runway of a landing request, `04L` or with a NOTAM `04L.N12`, under the airport's NOTAM that are not cancelled. A
 * takeoff intersection is refused.
 */
export const landingRunway = (
  known: KnownAirport | null,
  notams: readonly NumberedNotam[],
  runway: string,
  now: Date,
): LandingRunway | RunwayFailure => {
  const named = parseVariant(runway);
  const found = askedRunway(known, notams, named?.intersection === null ? named : null, 'landing', now);
  if (typeof found === 'string') return found;
  const { end: published, state, chosen } = found;
  const own = (known?.exits ?? []).filter(({ ident }) => ident === published.ident);
  const end = endUnder(published, chosen);
  const asPublished = geometryOf(
    published,
    own.filter(({ name }) => !state?.closedExits.includes(name)),
  );
  const geometry = chosen
    ? changedGeometry(asPublished, { ...chosen, landingStartM: chosen.displacedM })
    : asPublished;
  return {
    id: underId(published.ident, chosen),
    end,
    exits: exitsFromThreshold(geometry),
    geometry,
    ldaInForceM: state?.ldaM ?? null,
    isNotam: changesUse('landing', published, chosen),
    notices: noticesOf(found, own),
    noticesInForce: inForceBeside(found, 'landing').map(({ under, ...said }) => ({
      ...said,
      availableM: under.ldaM,
      usedM: end.distances.lda.valueM,
    })),
  };
};
