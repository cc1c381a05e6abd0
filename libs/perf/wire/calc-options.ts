import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { refusal } from '../landing/problem.ts';
import type { Impossible } from '../landing/problem.ts';
import type { LandingCase } from '../landing/types.ts';

/** First value of a command-line case that the profile does not offer. The API checks its requests by formData. */
export const notOffered = (profile: AircraftProfile, landing: LandingCase): Impossible | null => {
  const { configuration } = landing;
  const { flap, reversersOperating = 0 } = configuration;
  const flaps = profile.flaps.filter((entry) => entry.landing).map((entry) => entry.code);
  if (profile.family === 'A') flaps.push('OPTIMUM');
  if (!flaps.includes(flap)) return refusal('UNKNOWN_FLAP', { flap, offered: flaps.join(', ') });
  const fitted = profile.thrust.reverse.count ?? profile.engineCount;
  if (reversersOperating > fitted)
    return refusal('TOO_MANY_REVERSERS', { reversers: reversersOperating, fitted });
  const { antiIce, acBleed, speedbrake, cgPosition, autobrake } = configuration;
  const { options } = profile;
  const lists: [string, string | undefined, readonly { value: string }[]][] = [
    ['antiIce', antiIce, options.antiIce],
    ['acBleed', acBleed, options.acBleed],
    ['speedbrake', speedbrake, options.groundSpoilers],
    ['cgPosition', cgPosition, options.cgPosition],
    ['autobrake', autobrake, [{ value: 'ALL' }, ...profile.autobrakes]],
  ];
  for (const [name, value, list] of lists) {
    if (value === undefined || list.some((entry) => entry.value === value)) continue;
    const offered = list.length > 0 ? list.map((entry) => entry.value).join(', ') : 'nothing';
    return refusal('UNKNOWN_OPTION', { name, value, offered });
  }
  return null;
};
