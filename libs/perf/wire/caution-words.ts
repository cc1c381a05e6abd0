import type { LandingCautionParams } from '../landing/caution-codes.ts';
import { inUnits } from './amounts.ts';
import type { Words } from './words.ts';

const weight = 'weight.landingWeight';
const distances = 'performance.autobrakeLandingDist';
const additive = 'configuration.vrefAdditive';
const gradient = 'configuration.missedApproachClimbGradient';

/** English text of every landing caution. */
export const cautionWords = {
  OVERWEIGHT: [
    weight,
    'Overweight landing: {weightKg:mass} exceeds the structural landing weight {limitKg:massLimit}. Apply the overweight landing procedure.',
  ],
  CLIMB_WEIGHT: [weight, 'Weight {weightKg:mass} exceeds the climb limit weight {limitKg:massLimit}.'],
  GRADIENT_BELOW_REQUESTED: [
    gradient,
    'Go-around gradient {percent:%} is below the missed approach gradient {requested:%}.',
  ],
  GRADIENT_BELOW_MINIMUM: [
    weight,
    'One-engine-out approach climb gradient {percent:%} is below the required {minimum:%}.',
  ],
  BALKED_LANDING_WEIGHT: [
    weight,
    'Insufficient balked landing performance: the weight exceeds {limitKg:massLimit} for the engine failure procedure.',
    { value: 'weightKg:mass', limit: 'limitKg:massLimit' },
  ],
  TAILWIND_LIMIT: ['weather', 'Tailwind {tailwindKt:wind} exceeds the limit of {limitKt:wind}.'],
  HEADWIND_LIMIT: ['weather', 'Headwind {headwindKt:wind} exceeds the limit of {limitKt:wind}.'],
  CROSSWIND_LIMIT: ['weather', 'Crosswind {crosswindKt:wind} exceeds the limit of {limitKt:wind}.'],
  AUTOLAND_UNAVAILABLE: [
    'configuration.flap',
    'Autoland is not available with flap {flap} in this configuration.',
  ],
  FUSE_MELT: [distances, 'Brake energy in the fuse plug melt zone: {modes}.'],
  LDA_UNDER_NOTAM: [
    'runway',
    'The distance needed, {distanceM:longer}, exceeds the landing distance available under the NOTAM in force, {ldaM:available}.',
  ],
  TIRE_SPEED: [
    'performance.tireSpeed',
    'Touchdown speed exceeds the tire rating of {ratingKt:kt}.',
    { value: 'groundSpeedKt:kt', limit: 'ratingKt:kt' },
  ],
  OFFICIAL_CONDITION_WORSE: [
    'runwayCondition.state',
    'The operator reports {evidence}, observed {ageMinutes} min before; the request has {state}.',
    { value: 'rwycc:', limit: 'code:' },
  ],
  RUNWAY_NARROW: [
    'runway',
    'The runway width of {lengthM:available} is less than the minimum of {minimumM:longer} for this type.',
  ],
  STEEP_APPROACH: [
    'configuration.approachAngle',
    'Steep approach of {angleDeg} degrees: {consequence}.',
    { value: 'angleDeg:°', limit: 'limitDeg:°' },
  ],
  VFE_MARGIN: ['performance.vApp', 'Approach speed {vAppKt:kt} exceeds the flap limit speed {vfeKt:kt}.'],
  FACTORED_ABOVE_LDA: [
    distances,
    'Factored landing distance {distanceM:longer} exceeds the landing distance available {ldaM:available}.',
  ],
  UNFACTORED_ABOVE_LDA: [
    distances,
    'The aircraft does not stop on the runway: actual distance {distanceM:longer}, available {ldaM:available}.',
  ],
  SMALL_MARGIN: [
    distances,
    'Margin to the end of the runway is {marginM:available}, less than {300:longer}.',
  ],
  MODES_ABOVE_LDA: [
    distances,
    'With these brake modes the factored distance exceeds the landing distance available: {modes}.',
  ],
  MODES_CANNOT_STOP: [
    'performance.autobrakeNotPossible',
    'These brake modes do not stop the aircraft on this surface and slope: {modes}.',
  ],
  CROSSWIND_LIMIT_INCREASED: [
    'weather',
    'Crosswind {crosswindKt:wind} is above {limitKt:wind} and within the increased limit of {raisedLimitKt:wind}.',
    { limit: 'raisedLimitKt:wind', more: ({ rule }, say) => (rule === '' ? '' : ` ${inUnits(rule, say)}`) },
  ],
  REVERSER_CREDIT_NOT_TAKEN: [
    'configuration.reverser',
    'Reverse thrust is credited for {reversers:} reverser(s) only.',
  ],
  AUTOBRAKE_UNAVAILABLE: [
    'performance.autobrakeNotPossible',
    'Autobrake not available: {autobrake}. Manual braking is shown.',
  ],
  BRAKE_CAUTION: [distances, 'Brake energy in the caution zone: brakes may overheat, wheel fuses may melt.'],
  QUICK_TURN_EXCEEDED: [
    weight,
    'Quick turnaround limit weight {limitKg:massLimit}: wait {waitMinutes} minutes before takeoff.',
    { value: 'weightKg:mass', limit: 'limitKg:massLimit' },
  ],
  EXTRAPOLATED: [weight, 'Extrapolated beyond the data: {what}.'],
  ESTIMATED: [null, 'Estimated data, not from published tables: {blocks}.'],
  NON_NORMAL_UNFACTORED: [
    'configuration.nonNormalCondition',
    'Distances with a non-normal condition are actual distances without margin.',
  ],
  VREF_ADD_BY_ITEM: ['inopItems', 'Inoperative items add {knots:kt} to the reference speed.'],
  CG_NOT_USED: [
    'weight.cg',
    'The centre of gravity of {percent:%} MAC affects no speed and no distance of this type.',
  ],
  ADDITIVE_CAPPED: [
    additive,
    'Speed additive reduced to the maximum of {knots:kt}.',
    { value: 'askedKt:kt', limit: 'knots:kt' },
  ],
  ADDITIVE_RAISED: [
    additive,
    'Speed additive raised to {knots:kt} for autoland.',
    { value: 'askedKt:kt', limit: 'knots:kt' },
  ],
  NOTAM_SHORTENED: ['notam', 'Landing distance available reduced by {distanceM:longer} (NOTAM).'],
  VFE_NEAR: [
    'performance.vApp',
    'Approach speed {vAppKt:kt} is only {marginKt:kt} below the flap limit speed {vfeKt:kt}.',
    { limit: 'vfeKt:kt' },
  ],
  AUTOBRAKE_RELIEF: [
    distances,
    'With {autobrake} the factored distance exceeds the landing distance available; manual braking meets it (dry or wet relief).',
  ],
  ASSUMED: ['sources', 'Assumed, because no source states it: {parts:text}.'],
  ICING_ANTI_ICE_OFF: [
    'configuration.antiIce',
    'Anti-ice is off in icing conditions: 10 degrees C or less and a runway that is not dry.',
  ],
  VARIABLE_WIND: [
    'weather.windDirection',
    'The wind direction is variable or unknown: the whole wind counts as tailwind and as crosswind.',
  ],
  GUST_BELOW_WIND: [
    'weather.gust',
    'The gust is below the wind speed; send the peak speed of the gust, not its difference from the wind.',
  ],
  GRADIENT_BELOW_RUNWAY: [
    gradient,
    'The missed approach gradient of this runway is {required:%}; {percent:%} was requested.',
    { value: 'percent:%', limit: 'required:%' },
  ],
  ADDITIVE_FOR_WIND: [additive, 'Speed additive of {knots:kt} for the wind and its gusts.'],
  ADDITIVE_ON_TOP: [
    additive,
    'Speed additive of {knots:kt} on top of the correction for wind, auto-thrust and ice: VLS + {totalKt:kt}.',
  ],
  ADDITIVE_BELOW_WIND: [
    additive,
    'Speed additive of {knots:kt} is less than the {least:kt} for the wind and its gusts.',
  ],
  NOTE: ['configuration.nonNormalCondition', '{text:text}'],
} as const satisfies { [C in keyof LandingCautionParams]: Words<LandingCautionParams[C]> };
