import type { CautionParams, LimitCode } from '../landing/caution-codes.ts';
import { quantity as q } from './amounts.ts';
import type { CautionWords } from './caution-words.ts';

const weight = 'weight.landingWeight';
const distances = 'performance.autobrakeLandingDist';

/** Limits that are exceeded, in English, in the units of the request. */
export const limitWords: { [C in LimitCode]: CautionWords<CautionParams[C]> } = {
  OVERWEIGHT: {
    field: weight,
    meaning: 'The landing weight is above the maximum structural landing weight.',
    text: (p, say) =>
      `Overweight landing: ${say('mass', p.weightKg)} exceeds the structural landing weight ${say('massLimit', p.limitKg)}. Apply the overweight landing procedure.`,
    value: (p) => q('mass', p.weightKg),
    limit: (p) => q('massLimit', p.limitKg),
  },
  CLIMB_WEIGHT: {
    field: weight,
    meaning: 'The landing weight is above the approach or landing climb limit.',
    text: (p, say) =>
      `Weight ${say('mass', p.weightKg)} exceeds the climb limit weight ${say('massLimit', p.limitKg)}.`,
    value: (p) => q('mass', p.weightKg),
    limit: (p) => q('massLimit', p.limitKg),
  },
  GRADIENT_BELOW_REQUESTED: {
    field: 'configuration.missedApproachClimbGradient',
    meaning: 'The go-around gradient with one engine out is below that of the missed approach.',
    text: (p, say) =>
      `Go-around gradient ${say('%', p.percent)} is below the missed approach gradient ${say('%', p.requested)}.`,
    value: (p) => q('%', p.percent),
    limit: (p) => q('%', p.requested),
  },
  GRADIENT_BELOW_MINIMUM: {
    field: weight,
    meaning: 'The approach climb gradient is below the certification minimum.',
    text: (p, say) =>
      `One-engine-out approach climb gradient ${say('%', p.percent)} is below the required ${say('%', p.minimum)}.`,
    value: (p) => q('%', p.percent),
    limit: (p) => q('%', p.minimum),
  },
  BALKED_LANDING_WEIGHT: {
    field: weight,
    meaning: 'The weight is too high for the engine failure procedure of the runway.',
    text: (p, say) =>
      `Insufficient balked landing performance: the weight exceeds ${say('massLimit', p.limitKg)} for the engine failure procedure.`,
    value: (p) => q('mass', p.weightKg),
    limit: (p) => q('massLimit', p.limitKg),
  },
  TAILWIND_LIMIT: {
    field: 'weather',
    meaning: 'The tailwind is above the limit of the type.',
    text: (p, say) => `Tailwind ${say('wind', p.tailwindKt)} exceeds the limit of ${say('wind', p.limitKt)}.`,
    value: (p) => q('wind', p.tailwindKt),
    limit: (p) => q('wind', p.limitKt),
  },
  HEADWIND_LIMIT: {
    field: 'weather',
    meaning: 'The headwind is above the limit of the type.',
    text: (p, say) => `Headwind ${say('wind', p.headwindKt)} exceeds the limit of ${say('wind', p.limitKt)}.`,
    value: (p) => q('wind', p.headwindKt),
    limit: (p) => q('wind', p.limitKt),
  },
  CROSSWIND_LIMIT: {
    field: 'weather',
    meaning: 'The crosswind is above the limit of the type for the runway condition code.',
    text: (p, say) =>
      `Crosswind ${say('wind', p.crosswindKt)} exceeds the limit of ${say('wind', p.limitKt)} for this runway condition.`,
    value: (p) => q('wind', p.crosswindKt),
    limit: (p) => q('wind', p.limitKt),
  },
  AUTOLAND_UNAVAILABLE: {
    field: 'configuration.flap',
    meaning: 'An automatic landing is not possible with this flap, failure or item.',
    text: (p) => `Autoland is not available with flap ${p.flap} in this configuration.`,
  },
  FUSE_MELT: {
    field: distances,
    meaning: 'The brake energy of a mode is in the zone where wheel fuses melt.',
    text: (p) => `Brake energy in the fuse plug melt zone: ${p.modes}.`,
  },
  TIRE_SPEED: {
    field: 'performance.tireSpeed',
    meaning: 'The ground speed at touchdown is above the rating of the tires.',
    text: (p, say) => `Touchdown speed exceeds the tire rating of ${say('kt', p.ratingKt)}.`,
    value: (p) => q('kt', p.groundSpeedKt),
    limit: (p) => q('kt', p.ratingKt),
  },
  RUNWAY_NARROW: {
    field: 'runway',
    meaning: 'The runway is narrower than the type needs.',
    text: (p, say) =>
      `The runway is ${say('available', p.lengthM)} wide, less than the ${say('longer', p.minimumM)} that this type needs.`,
    value: (p) => q('available', p.lengthM),
    limit: (p) => q('longer', p.minimumM),
  },
  STEEP_APPROACH: {
    field: 'configuration.approachAngle',
    meaning: 'The glide path is steeper than standard; from 4.5 degrees on an approval is needed.',
    text: (p) => `Steep approach of ${p.angleDeg} degrees: ${p.consequence}.`,
    value: (p) => q('°', p.angleDeg),
    limit: (p) => q('°', p.limitDeg),
  },
  VFE_MARGIN: {
    field: 'performance.vApp',
    meaning: 'The approach speed is above the limit speed of the flap.',
    text: (p, say) =>
      `Approach speed ${say('kt', p.vAppKt)} exceeds the flap limit speed ${say('kt', p.vfeKt)}.`,
    value: (p) => q('kt', p.vAppKt),
    limit: (p) => q('kt', p.vfeKt),
  },
};
