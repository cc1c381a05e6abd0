import type { RefusalParams } from '../landing/problem.ts';
import { sharedCodes } from '../takeoff/caution-codes.ts';
import type { TakeoffCautionCode, TakeoffCautionParams } from '../takeoff/caution-codes.ts';
import { quantity as q } from './amounts.ts';
import { cautionWords } from './caution-words.ts';
import type { CautionWords } from './caution-words.ts';
import { refusalWords } from './refusal-words.ts';

type Words = { [C in TakeoffCautionCode]: CautionWords<TakeoffCautionParams[C]> };
type SharedCode = (typeof sharedCodes)[number];

const weight = 'weight.takeoffWeight';
const assumed = 'configuration.assumedTemperature';

/** Cautions that only a takeoff has. */
export const ownTakeoffWords: Omit<Words, SharedCode> = {
  NO_TAKEOFF_WEIGHT: {
    field: 'runway',
    meaning: 'No weight meets every limit here.',
    text: () => 'No weight can take off here.',
  },
  WEIGHT_ABOVE_LIMIT: {
    field: weight,
    meaning: 'The weight is above the lowest of its limits.',
    text: (p, say) =>
      `The takeoff weight ${say('mass', p.weightKg)} is above the limit of ${say('massLimit', p.limitKg)} (${p.limitedBy}).`,
    value: (p) => q('mass', p.weightKg),
    limit: (p) => q('massLimit', p.limitKg),
  },
  MINIMUM_CONTROL_SPEED: {
    field: weight,
    meaning: 'The aircraft is so light that V1 and VR are the minimum control speed on the ground (VMCG).',
    text: (p, say) =>
      `At ${say('mass', p.weightKg)} V1 and VR are the minimum control speed (VMCG), and a lighter aircraft needs as much runway to stop from it; from ${say('mass', p.minimumKg)} on they follow from the weight.`,
    value: (p) => q('mass', p.weightKg),
    limit: (p) => q('mass', p.minimumKg),
  },
  OBSTACLES_NOT_CONSIDERED: {
    field: 'obstacles',
    meaning: 'The request has no obstacles, so none limit the weight.',
    text: () => 'Obstacles not considered.',
  },
  FULL_THRUST: {
    field: assumed,
    meaning: 'Reduced thrust is not allowed.',
    text: (p) => `Reduced thrust is not allowed because ${p.why}; use full thrust or a fixed derate.`,
  },
  ASSUMED_TEMPERATURE_TOO_HIGH: {
    field: assumed,
    meaning: 'At the requested assumed temperature a limit does not hold.',
    text: (p, say) =>
      p.highestC === null
        ? `Thrust cannot be reduced at this weight; ${say('°C', p.askedC)} was requested.`
        : `The highest assumed temperature is ${say('°C', p.highestC)}; ${say('°C', p.askedC)} was requested.`,
    value: (p) => q('°C', p.askedC),
  },
  ASSUMED_TEMPERATURE_TOO_LOW: {
    field: assumed,
    meaning: 'The requested assumed temperature does not reduce thrust.',
    text: (p, say) =>
      `An assumed temperature below ${say('°C', p.leastC)} does not reduce thrust; ${say('°C', p.askedC)} was requested.`,
    value: (p) => q('°C', p.askedC),
    limit: (p) => q('°C', p.leastC),
  },
  IMPROVED_CLIMB: {
    field: 'configuration.improvedClimb',
    meaning: 'VR and V2 are higher than normal, which raises the climb limit.',
    text: (p, say) => `Improved climb: VR and V2 are ${say('kt', p.knots)} higher.`,
    value: (p) => q('kt', p.knots),
  },
  TAKEOFF_ESTIMATED: {
    field: 'configuration.flap',
    meaning: 'There are no published figures of this flap.',
    text: (p) => `Takeoff figures of flaps ${p.flap} are estimated, not fitted to published tables.`,
  },
  SCREEN_15_FT: {
    field: 'runwayCondition.state',
    meaning: 'With an engine failure the aircraft is at 15 ft at the end of the takeoff distance.',
    text: () => 'Engine-out takeoff distance to 15 ft, not 35 ft.',
  },
  LINEUP_ESTIMATED: {
    field: 'lineupAngle',
    meaning: 'What lining up costs is estimated from the wheelbase.',
    text: () => 'The length lost in lining up is estimated from the wheelbase of this aircraft.',
  },
  LINEUP_NOT_KNOWN: {
    field: 'lineupAngle',
    meaning: 'What lining up costs is not known for the type.',
    text: () => 'The length lost in lining up is not known for this aircraft and not deducted.',
  },
  CG_NOT_CREDITED: {
    field: 'weight.cg',
    meaning: 'Figures are those of the forward center of gravity.',
    text: () => 'Figures are those of the forward center of gravity; an aft one is not credited.',
  },
  NOTAM_SHORTENED_TAKEOFF: {
    field: 'notam',
    meaning: 'The request shortens every distance available.',
    text: (p, say) => `Distances available reduced by ${say('longer', p.distanceM)} (NOTAM).`,
    value: (p) => q('longer', p.distanceM),
  },
  VALIDITY: {
    field: 'weather',
    meaning: 'How far the weather may change before the result must be calculated again.',
    text: (p, say) =>
      `Valid down to QNH ${say('pressure', p.qnhHpa)}, up to ${say('°C', p.temperatureC)}, and for no less headwind than ${say('wind', p.headwindKt)}.`,
  },
};

/** Every caution of a takeoff in English, in the units of the request. */
export const takeoffCautionWords: Words = {
  ...ownTakeoffWords,
  ...(Object.fromEntries(sharedCodes.map((code) => [code, cautionWords[code]])) as Pick<Words, SharedCode>),
};

/** Reasons whose words differ from those of a landing. */
export const takeoffRefusalWords: {
  [C in 'NO_LANDING_DISTANCE' | 'WEIGHT_BELOW_OEW' | 'WEIGHT_ABOVE_MTOW' | 'UNKNOWN_FLAP']: CautionWords<
    RefusalParams[C]
  >;
} = {
  WEIGHT_BELOW_OEW: {
    ...refusalWords.WEIGHT_BELOW_OEW,
    field: weight,
    text: (p, say) =>
      `Takeoff weight ${say('mass', p.weightKg)} is below the operating empty weight ${say('mass', p.oewKg)}.`,
  },
  WEIGHT_ABOVE_MTOW: {
    ...refusalWords.WEIGHT_ABOVE_MTOW,
    field: weight,
    text: (p, say) =>
      `Takeoff weight ${say('mass', p.weightKg)} is above the maximum takeoff weight ${say('mass', p.mstowKg)}.`,
  },
  NO_LANDING_DISTANCE: {
    ...refusalWords.NO_LANDING_DISTANCE,
    field: 'runway',
    text: () => 'No takeoff distance is available.',
  },
  UNKNOWN_FLAP: {
    ...refusalWords.UNKNOWN_FLAP,
    text: (p) =>
      `Flap ${p.flap} is not a takeoff flap of the profile.${p.offered === undefined ? '' : ` Offered: ${p.offered}.`}`,
  },
};
