import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { Impossible, LandingCase } from '../landing/types.ts';

const refusal = (code: string, message: string, details: Record<string, string | number>): Impossible => ({
  ok: false,
  code,
  message,
  details,
});

/** First value of a command-line case that the profile does not offer. The API checks its requests by formData. */
export const notOffered = (profile: AircraftProfile, landing: LandingCase): Impossible | null => {
  const { configuration } = landing;
  const { flap, reversersOperating = 0 } = configuration;
  const flaps = profile.flaps.filter((entry) => entry.landing).map((entry) => entry.code);
  if (profile.family === 'A') flaps.push('OPTIMUM');
  if (!flaps.includes(flap)) {
    const message = `Flap ${flap} is not a landing flap; offered: ${flaps.join(', ')}.`;
    return refusal('UNKNOWN_FLAP', message, { flap });
  }
  const fitted = profile.thrust.reverse.count ?? profile.engineCount;
  if (reversersOperating > fitted) {
    const message = `${reversersOperating} reversers were given, ${fitted} are fitted.`;
    return refusal('UNKNOWN_OPTION', message, { reversers: reversersOperating, fitted });
  }
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
    return refusal('UNKNOWN_OPTION', `${name} ${value} is not an option; offered: ${offered}.`, {
      [name]: value,
    });
  }
  return null;
};
