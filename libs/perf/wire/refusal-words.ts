import { kgPerLb, paPerHpa, paPerInhg } from '../kernel/units.ts';
import type { RefusalParams } from '../landing/problem.ts';
import type { Say } from './amounts.ts';
import type { Words } from './words.ts';

const hpaPerInhg = paPerInhg / paPerHpa;
const pressures = { leastHpa: 850, mostHpa: 1_090 };
/** No aircraft weighs more than about 2.5 times its empty weight. */
const emptyToFull = 2.5;

/** Asks about a likely unit mix-up: a value far outside its limits that would be ordinary in another unit. `qnhHpa`: as understood. */
const pressureQuestion = (qnhHpa: number, say: Say): string => {
  const isOrdinary = (hpa: number): boolean => hpa >= pressures.leastHpa && hpa <= pressures.mostHpa;
  const isInhg = say('pressure', 1).endsWith('inHg');
  if (isInhg) return isOrdinary(qnhHpa / hpaPerInhg) ? ' Is it hPa? Then units.pressure is "hpa".' : '';
  if (isOrdinary(qnhHpa * hpaPerInhg)) return ' Is it inHg? Then units.pressure is "inhg".';
  return isOrdinary((qnhHpa * hpaPerInhg) / 100)
    ? ' Is it inHg without its point (2992 for 29.92)? Then send 29.92 with units.pressure "inhg".'
    : '';
};

/** `weightKg`: as understood, in kg; `leastKg`: the lightest that is plausible. */
const massQuestion = (weightKg: number, leastKg: number, say: Say): string => {
  const isOrdinary = (kg: number): boolean => kg >= leastKg && kg <= leastKg * emptyToFull;
  if (say('mass', 1).endsWith('lb'))
    return isOrdinary(weightKg / kgPerLb) ? ' Is it in kg? Then units.weight is "kg".' : '';
  if (isOrdinary(weightKg * kgPerLb)) return ' Is it in lb? Then units.weight is "lb".';
  return isOrdinary(weightKg * 1_000) ? ' Is it in tonnes? Send kg.' : '';
};

const fahrenheit = { freezing: 32, perCelsius: 1.8, warmest: 130 };
const kelvinAtZero = 273.15;

/** Degrees of another scale. */
const temperatureQuestion = ({
  temperatureC: given,
  maxC,
}: {
  temperatureC: number;
  maxC: number;
}): string => {
  if (given <= maxC) return '';
  const fromF = Math.round((given - fahrenheit.freezing) / fahrenheit.perCelsius);
  if (given <= fahrenheit.warmest) return ` Is it in °F? Then send ${fromF}.`;
  const fromK = Math.round(given - kelvinAtZero);
  return Math.abs(fromK) <= maxC ? ` Is it in kelvin? Then send ${fromK}.` : '';
};

const offers = ({ offered }: { offered?: string }): string =>
  offered === undefined ? '' : ` Offered: ${offered}.`;

/** English text of every landing refusal. */
export const refusalWords = {
  TEMPERATURE_OUTSIDE_LIMITS: [
    'weather.temperature',
    'Temperature {temperatureC:°C} is outside {minC} to {maxC:°C}.',
    { more: temperatureQuestion, limit: 'minC..maxC:°C' },
  ],
  QNH_OUTSIDE_LIMITS: [
    'weather.qnh',
    'QNH {qnhHpa:pressure} is outside {minHpa:pressure} to {maxHpa:pressure}.',
    { more: ({ qnhHpa }, say) => pressureQuestion(qnhHpa, say), limit: 'minHpa..maxHpa:pressure' },
  ],
  PRESSURE_ALTITUDE_OUTSIDE_LIMITS: [
    'weather.qnh',
    'Pressure altitude {pressureAltitudeFt:altitude} is outside {minFt:altitude} to {maxFt:altitude}.',
    { limit: 'minFt..maxFt:altitude' },
  ],
  SLOPE_OUTSIDE_LIMITS: ['runway', 'Runway slope {slopePercent:%} is beyond {limitPercent:%}.'],
  NO_LANDING_DISTANCE: [
    'notam',
    'No landing distance is available.',
    {
      more: ({ ldaM }, say) => (ldaM < 0 ? ` ${say('longer', -ldaM)} more than available is closed.` : ''),
      value: 'ldaM:available',
      limit: '0:longer',
    },
  ],
  RWYCC_0: [
    'runwayCondition.state',
    'No operation on {surface}: condition code 0 (nil braking).',
    { value: '0:', limit: '1:' },
  ],
  DEPTH_OUTSIDE_RANGE: [
    'runwayCondition.depth',
    '{surface}: depth {depthMm:depth} is outside {minMm:depth} to {maxMm:depth}.',
    { limit: 'minMm..maxMm:depth' },
  ],
  CANNOT_STOP: ['runwayCondition.state', 'The aircraft does not stop on this surface and slope.'],
  WEIGHT_REQUIRED: ['weight.landingWeight', 'A landing in flight requires a landing weight.'],
  WEIGHT_BELOW_OEW: [
    'weight.landingWeight',
    'Landing weight {weightKg:mass} is below the operating empty weight {oewKg:mass}.',
    { more: ({ weightKg, oewKg }, say) => massQuestion(weightKg, oewKg, say) },
  ],
  WEIGHT_ABOVE_MTOW: [
    'weight.landingWeight',
    'Landing weight {weightKg:mass} is above the maximum takeoff weight {mstowKg:mass}.',
    { more: ({ weightKg, mstowKg }, say) => massQuestion(weightKg, mstowKg / 2, say) },
  ],
  NO_LANDING_WEIGHT: [
    'runway',
    'No landing is possible: the limit weight {limitKg:massLimit} ({limitedBy}) is below the operating empty weight {oewKg:mass}.',
    {
      without: 'No landing weight meets all limits on this runway.',
      value: 'oewKg:mass',
      limit: 'limitKg:massLimit',
    },
  ],
  NO_DISPATCH_DATA: ['configuration.flap', 'Flap {flap} has no dispatch data.'],
  UNKNOWN_FLAP: ['configuration.flap', 'Flap {flap} is not a landing flap of the profile.', { more: offers }],
  UNKNOWN_OPTION: ['configuration', '{name} {value} is not an option.', { more: offers }],
  UNKNOWN_CONDITION: ['runwayCondition.state', 'Runway condition {state} is not in the profile.'],
  UNKNOWN_ITEM: ['inopItems', '{kind:upper} item {item} is not in the profile.'],
  UNKNOWN_NON_NORMAL: [
    'configuration.nonNormalCondition',
    'Non-normal condition {nonNormalCondition} is not in the profile.',
  ],
  TOO_MANY_REVERSERS: [
    'configuration.reverser',
    '{reversers:} reversers were requested, {fitted:} are fitted.',
  ],
  PROFILE: ['aircraft', 'The profile has no {what}.'],
} as const satisfies { [C in keyof RefusalParams]: Words<RefusalParams[C]> };
