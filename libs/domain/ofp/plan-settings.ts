/** Settings in the performance section of a plan, as `configuration` of `performance` if the aircraft has them. */
import { z } from 'zod';
import type { AircraftProfile } from '../aircraft/profile.ts';
import { differenceOf } from '../performance/situation/source.ts';
import type { Difference } from '../performance/situation/source.ts';
import { rowOf } from './planned.ts';
import type { PlannedReport } from './planned.ts';

const optionField = (name: string) =>
  z.string().optional().describe(`${name} of the plan, as the aircraft calls it`);

export const takeoffConfigurationSchema = z.strictObject({
  flap: optionField('flap'),
  rating: optionField('thrust rating'),
  assumedTemperature: z
    .union([z.enum(['AUTO', 'NONE']), z.number()])
    .optional()
    .describe('degrees C; NONE: the plan has no reduced thrust; AUTO: it has, without its temperature'),
  acBleed: optionField('bleeds'),
  antiIce: optionField('anti-ice'),
});
export const landingConfigurationSchema = z.strictObject({
  flap: optionField('flap'),
  reverser: optionField('reverser credit'),
});

export interface Carried<C> {
  configuration: C;
  /** Settings that the aircraft does not offer; absent if all were taken over. */
  source?: Difference;
}

const letters = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z0-9+]/g, '');
const flapOf = (text: string): string => letters(text).replace(/^(?:CONFIG|CONF|FLAPS|FLAP|F(?=\d))/, '');

/** In the profile's spelling: `ENG & WING` becomes ENGINE_WING. */
const antiIceOf = (text: string): string => {
  const said = letters(text);
  return said.startsWith('ENG') ? (said.includes('WING') ? 'ENGINE_WING' : 'ENGINE') : said;
};

/** `D-TO1`: a derate with an assumed temperature. */
const thrustOf = (
  text: string,
  flexTemperatureC: number | null,
): z.output<typeof takeoffConfigurationSchema> => {
  const said = letters(text);
  const [, reduced, derate] = /^(D?)TO(\d?)$/.exec(said) ?? [];
  const rating = reduced === undefined ? said : derate ? `TO-${derate}` : 'TO';
  const isReduced = reduced === 'D' || said === 'FLEX';
  return { rating, assumedTemperature: isReduced ? (flexTemperatureC ?? 'AUTO') : 'NONE' };
};

const notSaid: ReadonlySet<string | null | undefined> = new Set([null, undefined, '', 'N/A', 'NA']);

/** The settings taken over, and the names of the others. */
const carriedOf = <C extends object>(
  settings: readonly [name: string, said: string | null | undefined, option: C, isOption: boolean][],
): Carried<C> => {
  const known = settings.filter(([, said]) => !notSaid.has(said));
  const left = known.filter(([, , , isOption]) => !isOption).map(([name, said]) => `${name} ${said}`);
  const configuration = Object.assign({}, ...known.map(([, , option, isOption]) => isOption && option)) as C;
  if (left.length === 0) return { configuration };
  const text = `The plan was made with ${left.join(', ')}, for which this aircraft has no option: the default was taken.`;
  return { configuration, source: differenceOf(text) };
};

const has = (list: readonly { value: string }[], wanted: string): boolean =>
  list.some(({ value }) => value === wanted);

export const takeoffCarried = (
  section: PlannedReport | null,
  runway: string | null,
  profile: AircraftProfile | undefined,
): Carried<z.output<typeof takeoffConfigurationSchema>> => {
  if (!section || !profile) return { configuration: {} };
  const { takeoff, options } = profile;
  const row = rowOf(section, runway);
  const { thrust, bleed, antiIce, flexTemperatureC = null } = row ?? {};
  const flap = row?.flap ?? section.conditions.flap;
  const wantedFlap = flapOf(flap ?? '');
  const wantedThrust = thrustOf(thrust ?? '', flexTemperatureC);
  const acBleed = letters(bleed ?? '').replace(/^(?:PACKS|BLEEDS)/, '');
  const wantedIce = antiIceOf(antiIce ?? '');
  return carriedOf<z.output<typeof takeoffConfigurationSchema>>([
    ['flap', flap, { flap: wantedFlap }, takeoff.flaps.includes(wantedFlap)],
    ['thrust', thrust, wantedThrust, has(takeoff.ratings, wantedThrust.rating ?? '')],
    ['bleeds', bleed, { acBleed }, has(options.acBleed, acBleed)],
    ['anti-ice', antiIce, { antiIce: wantedIce }, has(options.antiIce, wantedIce)],
  ]);
};

export const landingCarried = (
  section: PlannedReport | null,
  profile: AircraftProfile | undefined,
): Carried<z.output<typeof landingConfigurationSchema>> => {
  if (!section || !profile) return { configuration: {} };
  const { conditions, distanceDry, distanceWet } = section;
  const { flaps, options } = profile;
  const distance = distanceDry ?? distanceWet ?? null;
  const flap = conditions.flap ?? distance?.flap;
  const wanted = flapOf(flap ?? '');
  const reverser = distance?.hasReverserCredit === true ? 'ALL' : 'NONE';
  return carriedOf<z.output<typeof landingConfigurationSchema>>([
    ['flap', flap, { flap: wanted }, flaps.some(({ code, landing }) => landing && code === wanted)],
    [
      'reverser credit',
      distance?.hasReverserCredit.toString(),
      { reverser },
      has(options.reversers, reverser),
    ],
  ]);
};
