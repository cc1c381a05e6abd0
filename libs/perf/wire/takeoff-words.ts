import type { OwnTakeoffParams } from '../landing/caution-codes.ts';
import type { RefusalParams } from '../landing/problem.ts';
import { refusalWords } from './refusal-words.ts';
import type { Words } from './words.ts';

const weight = 'weight.takeoffWeight';
const flap = 'configuration.flap';
const assumed = 'configuration.assumedTemperature';

/** Takeoff-only cautions. */
export const takeoffCautionWords = {
  NO_TAKEOFF_WEIGHT: ['runway', 'No takeoff weight meets all limits on this runway.'],
  WEIGHT_ABOVE_LIMIT: [
    weight,
    'The takeoff weight {weightKg:mass} is above the limit of {limitKg:massLimit} ({limitedBy}).',
  ],
  WEIGHT_UNDER_NOTAM: [
    'runway',
    'The weight of {weightKg:mass} exceeds the limit of {limitKg:massLimit} under the NOTAM in force.',
  ],
  DISTANCE_UNDER_NOTAM: [
    'runway',
    'The distance needed, {distanceM:longer}, exceeds the {availableM:available} available under the NOTAM in force ({declared}).',
  ],
  MINIMUM_CONTROL_SPEED: [
    weight,
    'At {weightKg:mass}, below {minimumKg:mass}, V1 and VR are the minimum control speed on the ground (VMCG); a lighter aircraft does not need less runway to stop.',
  ],
  OBSTACLES_NOT_CONSIDERED: ['obstacles', 'Obstacles not considered.'],
  FULL_THRUST: [assumed, 'Reduced thrust is not allowed because {why}; use full thrust or a fixed derate.'],
  ASSUMED_TEMPERATURE_TOO_HIGH: [
    assumed,
    'The highest assumed temperature is {highestC:°C}; {askedC:°C} was requested.',
    {
      without: 'Thrust cannot be reduced at this weight; {askedC:°C} was requested.',
      value: 'askedC:°C',
      limit: null,
    },
  ],
  ASSUMED_TEMPERATURE_TOO_LOW: [
    assumed,
    'An assumed temperature below {leastC:°C} does not reduce thrust; {askedC:°C} was requested.',
    { value: 'askedC:°C', limit: 'leastC:°C' },
  ],
  IMPROVED_CLIMB: ['configuration.improvedClimb', 'Improved climb: VR and V2 are {knots:kt} higher.'],
  TAKEOFF_ESTIMATED: [flap, 'Takeoff figures of flaps {flap} are estimated, not fitted to published tables.'],
  SPEEDS_ESTIMATED: [
    null,
    'Speeds are not all published for this type and surface: V1 within {v1Kt:kt}, VR within {vRKt:kt}, V2 within {v2Kt:kt}.',
    { value: null, limit: null },
  ],
  SCREEN_15_FT: [
    'runwayCondition.state',
    'The engine-out takeoff distance is to a screen height of 15 ft, but at least the dry runway distance to 35 ft.',
  ],
  LINEUP_ESTIMATED: [
    'lineupAngle',
    'The line-up allowance is estimated from the wheelbase of this aircraft.',
  ],
  LINEUP_NOT_KNOWN: ['lineupAngle', 'The line-up allowance is not known for this aircraft and not deducted.'],
  CG_NOT_CREDITED: [
    'weight.cg',
    'Figures are for the forward centre of gravity; an aft one is not credited.',
  ],
  NOTAM_SHORTENED_TAKEOFF: ['notam', 'Distances available reduced by {distanceM:longer} (NOTAM).'],
  VALIDITY: [
    'weather',
    'Valid down to QNH {qnhHpa:leastPressure}, up to {temperatureC:°C}, and for no less headwind than {headwindKt:wind}.',
    { value: null, limit: null },
  ],
} as const satisfies { [C in keyof OwnTakeoffParams]: Words<OwnTakeoffParams[C]> };

/** English text of every takeoff refusal; some differ from the landing text. */
export const takeoffRefusalWords: { [C in keyof RefusalParams]: Words<RefusalParams[C]> } = {
  ...refusalWords,
  WEIGHT_BELOW_OEW: [
    weight,
    'Takeoff weight {weightKg:mass} is below the operating empty weight {oewKg:mass}.',
    refusalWords.WEIGHT_BELOW_OEW[2],
  ],
  WEIGHT_ABOVE_MTOW: [
    weight,
    'Takeoff weight {weightKg:mass} is above the maximum takeoff weight {mstowKg:mass}.',
    refusalWords.WEIGHT_ABOVE_MTOW[2],
  ],
  NO_LANDING_DISTANCE: ['runway', 'No takeoff distance is available.', refusalWords.NO_LANDING_DISTANCE[2]],
  UNKNOWN_FLAP: [flap, 'Flap {flap} is not a takeoff flap of the profile.', refusalWords.UNKNOWN_FLAP[2]],
};
