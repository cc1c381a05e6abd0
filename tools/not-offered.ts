/** Options of command-line cases that a profile does not offer. */
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { refusal } from '#perf/landing/problem.ts';
import type { Impossible } from '#perf/landing/problem.ts';
import { reversersFitted } from '#perf/landing/profile-lookup.ts';
import type { LandingCase } from '#perf/landing/types.ts';

type Offer = readonly [name: string, value: string | undefined, list: readonly { value: string }[]];

/** First selected value that the profile's list does not offer. */
export const firstNotOffered = (offers: readonly Offer[]): Impossible | null => {
  const found = offers.find(
    ([, value, list]) => value !== undefined && !list.some((entry) => entry.value === value),
  );
  if (!found) return null;
  const [name, value = '', list] = found;
  return refusal('UNKNOWN_OPTION', {
    name,
    value,
    offered: list.map((entry) => entry.value).join(', ') || 'nothing',
  });
};

/** First value of a landing that the profile does not offer. */
export const landingNotOffered = (
  profile: AircraftProfile,
  { configuration }: LandingCase,
): Impossible | null => {
  const { flap, reversersOperating: reversers = 0 } = configuration;
  const flaps = profile.flaps.filter((entry) => entry.landing).map((entry) => entry.code);
  if (profile.family === 'A') flaps.push('OPTIMUM');
  if (!flaps.includes(flap)) return refusal('UNKNOWN_FLAP', { flap, offered: flaps.join(', ') });
  const fitted = reversersFitted(profile);
  if (reversers > fitted) return refusal('TOO_MANY_REVERSERS', { reversers, fitted });
  const { antiIce, acBleed, speedbrake, cgPosition, autobrake } = configuration;
  const { options } = profile;
  return firstNotOffered([
    ['antiIce', antiIce, options.antiIce],
    ['acBleed', acBleed, options.acBleed],
    ['speedbrake', speedbrake, options.groundSpoilers],
    ['cgPosition', cgPosition, options.cgPosition],
    ['autobrake', autobrake, [{ value: 'ALL' }, ...profile.autobrakes]],
  ]);
};
