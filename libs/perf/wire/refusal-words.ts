import { ftToM } from '../kernel/units.ts';
import type { RefusalCode, RefusalParams } from '../landing/problem.ts';
import type { CautionWords } from './caution-words.ts';
import { quantity as q } from './amounts.ts';
import { massQuestion, pressureQuestion } from './unit-questions.ts';

/** The end of a range that a value is beyond. */
const beyond = (value: number, least: number, most: number): number => (value < least ? least : most);
const offers = (offered: string | undefined): string =>
  offered === undefined ? '' : ` Offered: ${offered}.`;

/** Every reason why there is no result, in English, in the units of the request. */
export const refusalWords: { [C in RefusalCode]: CautionWords<RefusalParams[C]> } = {
  TEMPERATURE_OUTSIDE_LIMITS: {
    field: 'weather.temperature',
    meaning: 'The temperature is outside the limits of the type.',
    text: (p, say) =>
      `Temperature ${say('°C', p.temperatureC)} is outside ${p.minC} to ${say('°C', p.maxC)}.`,
    value: (p) => q('°C', p.temperatureC),
    limit: (p) => q('°C', beyond(p.temperatureC, p.minC, p.maxC)),
  },
  QNH_OUTSIDE_LIMITS: {
    field: 'weather.qnh',
    meaning: 'The QNH is outside the limits of the type.',
    text: (p, say) =>
      `QNH ${say('pressure', p.qnhHpa)} is outside ${say('pressure', p.minHpa)} to ${say('pressure', p.maxHpa)}.${pressureQuestion(p.qnhHpa, say)}`,
    value: (p) => q('pressure', p.qnhHpa),
    limit: (p) => q('pressure', beyond(p.qnhHpa, p.minHpa, p.maxHpa)),
  },
  PRESSURE_ALTITUDE_OUTSIDE_LIMITS: {
    field: 'weather.qnh',
    meaning: 'The pressure altitude of the runway is outside the limits of the type.',
    text: (p, say) =>
      `Pressure altitude ${say('altitude', ftToM(p.pressureAltitudeFt))} is outside ${say('altitude', ftToM(p.minFt))} to ${say('altitude', ftToM(p.maxFt))}.`,
    value: (p) => q('altitude', ftToM(p.pressureAltitudeFt)),
    limit: (p) => q('altitude', ftToM(beyond(p.pressureAltitudeFt, p.minFt, p.maxFt))),
  },
  SLOPE_OUTSIDE_LIMITS: {
    field: 'runway',
    meaning: 'The runway is steeper than the type may use.',
    text: (p, say) => `Runway slope ${say('%', p.slopePercent)} is beyond ${say('%', p.limitPercent)}.`,
    value: (p) => q('%', p.slopePercent),
    limit: (p) => q('%', p.limitPercent),
  },
  NO_LANDING_DISTANCE: {
    field: 'notam',
    meaning: 'Nothing is left of the landing distance available.',
    text: () => 'No landing distance is available.',
    value: (p) => q('available', p.ldaM),
    limit: () => q('longer', 0),
  },
  RWYCC_0: {
    field: 'runwayCondition.state',
    meaning: 'Runway condition code 0, nil braking: no operation.',
    text: (p) => `No operation on ${p.surface}: condition code 0 (nil braking).`,
    value: () => q('', 0),
    limit: () => q('', 1),
  },
  DEPTH_OUTSIDE_RANGE: {
    field: 'runwayCondition.depth',
    meaning: 'The depth of water, slush or snow is missing or outside its range.',
    text: (p, say) =>
      `${p.surface}: depth ${say('depth', p.depthMm)} is outside ${say('depth', p.minMm)} to ${say('depth', p.maxMm)}.`,
    value: (p) => q('depth', p.depthMm),
    limit: (p) => q('depth', beyond(p.depthMm, p.minMm, p.maxMm)),
  },
  CANNOT_STOP: {
    field: 'runwayCondition.state',
    meaning: 'No brake mode stops on this surface and slope.',
    text: () => 'The aircraft does not stop on this surface and slope.',
  },
  WEIGHT_REQUIRED: {
    field: 'weight.landingWeight',
    meaning: 'A landing in flight needs a weight.',
    text: () => 'In flight a landing weight is required.',
  },
  WEIGHT_BELOW_OEW: {
    field: 'weight.landingWeight',
    meaning: 'The weight is far below the operating empty weight.',
    text: (p, say) =>
      `Landing weight ${say('mass', p.weightKg)} is below the operating empty weight ${say('mass', p.oewKg)}.${massQuestion(p.weightKg, p.oewKg, say)}`,
    value: (p) => q('mass', p.weightKg),
    limit: (p) => q('mass', p.oewKg),
  },
  WEIGHT_ABOVE_MTOW: {
    field: 'weight.landingWeight',
    meaning: 'The weight is above the maximum takeoff weight.',
    text: (p, say) =>
      `Landing weight ${say('mass', p.weightKg)} is above the maximum takeoff weight ${say('mass', p.mstowKg)}.${massQuestion(p.weightKg, p.mstowKg / 2, say)}`,
    value: (p) => q('mass', p.weightKg),
    limit: (p) => q('mass', p.mstowKg),
  },
  NO_LANDING_WEIGHT: {
    field: 'runway',
    meaning: 'At dispatch: no weight from the operating empty weight on meets every limit.',
    text: (p, say) =>
      p.limitKg === null
        ? 'No landing weight meets all limits on this runway.'
        : `No landing is possible: the limit weight ${say('massLimit', p.limitKg)} (${p.limitedBy}) is below the operating empty weight ${say('mass', p.oewKg)}.`,
    value: (p) => q('mass', p.oewKg),
    limit: (p) => q('massLimit', p.limitKg ?? 0),
  },
  NO_DISPATCH_DATA: {
    field: 'configuration.flap',
    meaning: 'The profile has no certified distances of this flap.',
    text: (p) => `Flap ${p.flap} has no dispatch data.`,
  },
  UNKNOWN_FLAP: {
    field: 'configuration.flap',
    meaning: 'The profile has no such landing flap.',
    text: (p) => `Flap ${p.flap} is not a landing flap of the profile.${offers(p.offered)}`,
  },
  UNKNOWN_OPTION: {
    field: 'configuration',
    meaning: 'The profile does not offer this value.',
    text: (p) => `${p.name} ${p.value} is not an option.${offers(p.offered)}`,
  },
  UNKNOWN_CONDITION: {
    field: 'runwayCondition.state',
    meaning: 'The profile has no such runway condition.',
    text: (p) => `Runway condition ${p.state} is not in the profile.`,
  },
  UNKNOWN_ITEM: {
    field: 'inopItems',
    meaning: 'The profile has no such item.',
    text: (p) => `${p.kind.toUpperCase()} item ${p.item} is not in the profile.`,
  },
  UNKNOWN_NON_NORMAL: {
    field: 'configuration.nonNormalCondition',
    meaning: 'The profile has no such non-normal condition.',
    text: (p) => `Non-normal condition ${p.nonNormalCondition} is not in the profile.`,
  },
  TOO_MANY_REVERSERS: {
    field: 'configuration.reverser',
    meaning: 'More reversers than the type has.',
    text: (p) => `${p.reversers} reversers were given, ${p.fitted} are fitted.`,
    value: (p) => q('', p.reversers),
    limit: (p) => q('', p.fitted),
  },
  PROFILE: {
    field: 'aircraft',
    meaning: 'The profile is incomplete.',
    text: (p) => `The profile has no ${p.what}.`,
  },
};
