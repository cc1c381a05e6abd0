import type { KnownAirport } from '../airports/served.ts';
import { changedGeometry, exitsFromThreshold, geometryOf } from '../airports/runway-geometry.ts';
import { parseVariant } from '../airports/variant.ts';
import { endUnder, underId } from './airport.ts';
import type { NumberedNotam } from './apply.ts';
import { askedRunway, changesUse, inForceBeside, noticesOf } from './asked-runway.ts';
import type { RunwayFailure } from './asked-runway.ts';

export type LandingRunway = Exclude<ReturnType<typeof landingRunway>, RunwayFailure>;

/**
 * The runway of a landing request, `04L` or with a NOTAM `04L.N12`, under the airport's NOTAM that are not cancelled. A
 * takeoff intersection is refused.
 */
export const landingRunway = (
  known: KnownAirport | null,
  notams: readonly NumberedNotam[],
  runway: string,
  now: Date,
) => {
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
  const geometry = chosen ? changedGeometry(asPublished, chosen) : asPublished;
  return {
    /** The requested runway id, normalised. */
    id: underId(published.ident, chosen),
    /** Distances include the effect of the chosen NOTAM. */
    end,
    exits: exitsFromThreshold(geometry),
    geometry,
    /** LDA with every NOTAM in force; null if none is in force. */
    ldaInForceM: state?.ldaM ?? null,
    isNotam: changesUse('landing', published, chosen),
    notices: noticesOf(found, own),
    /** About the landing distance. */
    noticesInForce: inForceBeside(found, 'landing', end.distances.lda.valueM, ({ ldaM }) => ldaM),
  };
};
