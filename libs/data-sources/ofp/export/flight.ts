/** Flight data for simulator files. */
import { DomainError } from '#domain/errors.ts';
import type { NormalizedOfp } from '#domain/ofp/schema.ts';
import { aerodromeOf, waypointsOf, wordOf } from '#domain/ofp/waypoints.ts';

export type Flight = ReturnType<typeof flightOf>;

/** AIRAC cycle, four digits; null when the plan does not state it. */
const cycleOf = (airac: string | null): string | null => /\d{4}/.exec(airac ?? '')?.[0] ?? null;

/** Throws NO_ROUTE for a plan without aerodrome positions. */
export const flightOf = (ofp: NormalizedOfp) => {
  const [origin, destination] = [aerodromeOf(ofp.origin), aerodromeOf(ofp.destination)];
  if (!origin || !destination) throw new DomainError('NO_ROUTE');
  const { airac, sid, sidTransition, star, starTransition, initialAltitudeFt } = ofp.general;
  const waypoints = waypointsOf(ofp, [origin, destination]);
  const highest = Math.max(0, ...waypoints.map(({ altitudeFt }) => altitudeFt ?? 0));
  return {
    origin,
    destination,
    waypoints,
    cruiseFt: initialAltitudeFt ?? highest,
    airac: cycleOf(airac),
    sid: wordOf(sid),
    sidTransition: wordOf(sidTransition),
    star: wordOf(star),
    starTransition: wordOf(starTransition),
  };
};
