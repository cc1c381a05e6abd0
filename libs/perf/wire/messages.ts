import type { Caution, CautionCode } from '../landing/types.ts';

type Params = Caution['params'];

/** English texts of the cautions; lengths and weights are texts in the user's units already. */
const texts: Record<CautionCode, (p: Params) => string> = {
  OVERWEIGHT: (p) =>
    `Overweight landing: ${p['weight']} exceeds the structural landing weight ${p['limit']}. Apply the overweight landing procedure.`,
  FACTORED_ABOVE_LDA: (p) =>
    `Factored landing distance ${p['distance']} exceeds the landing distance available ${p['lda']}.`,
  UNFACTORED_ABOVE_LDA: (p) =>
    `The aircraft does not stop on the runway: actual distance ${p['distance']}, available ${p['lda']}.`,
  SMALL_MARGIN: (p) => `Margin to the end of the runway is ${p['margin']}, less than 300 m (1000 ft).`,
  MODES_ABOVE_LDA: (p) =>
    `With these brake modes the factored distance exceeds the landing distance available: ${p['modes']}.`,
  MODES_CANNOT_STOP: (p) =>
    `These brake modes do not stop the aircraft on this surface and slope: ${p['modes']}.`,
  GRADIENT_BELOW_REQUESTED: (p) =>
    `Go-around gradient ${p['percent']} % is below the missed approach gradient ${p['requested']} %.`,
  GRADIENT_BELOW_MINIMUM: (p) =>
    `One-engine-out approach climb gradient ${p['percent']} % is below the required ${p['minimum']} %.`,
  BALKED_LANDING_WEIGHT: (p) =>
    `Insufficient balked landing performance: the weight exceeds ${p['limit']} for the engine failure procedure.`,
  NO_LANDING_POSSIBLE: (p) =>
    `No landing is possible: the limit weight ${p['limit']} is below the operating empty weight ${p['weight']}.`,
  TAILWIND_LIMIT: (p) => `Tailwind ${p['tailwindKt']} kt exceeds the limit of ${p['limitKt']} kt.`,
  HEADWIND_LIMIT: (p) => `Headwind ${p['headwindKt']} kt exceeds the limit of ${p['limitKt']} kt.`,
  CROSSWIND_LIMIT: (p) =>
    `Crosswind ${p['crosswindKt']} kt exceeds the limit of ${p['limitKt']} kt for this runway condition.`,
  CROSSWIND_LIMIT_INCREASED: (p) =>
    `Crosswind ${p['crosswindKt']} kt is above ${p['limitKt']} kt and within the increased limit of ${p['raisedLimitKt']} kt. ${p['rule']}`.trim(),
  AUTOLAND_UNAVAILABLE: (p) => `Autoland is not available with flap ${p['flap']} in this configuration.`,
  REVERSER_CREDIT_NOT_TAKEN: (p) => `Reverse thrust is credited for ${p['reversers']} reverser(s) only.`,
  AUTOBRAKE_UNAVAILABLE: (p) => `Autobrake not available: ${p['autobrake']}. Manual braking is shown.`,
  BRAKE_CAUTION: () => 'Brake energy in the caution zone: brakes may overheat, wheel fuses may melt.',
  FUSE_MELT: () => 'Brake energy in the fuse plug melt zone.',
  QUICK_TURN_EXCEEDED: (p) =>
    `Quick turnaround limit weight ${p['limit']}: wait ${p['waitMinutes']} minutes before takeoff.`,
  TIRE_SPEED: (p) => `Touchdown speed exceeds the tire rating of ${p['ratingKt']} kt.`,
  EXTRAPOLATED: (p) => `Extrapolated beyond the data: ${p['what']}.`,
  ESTIMATED: (p) => `Estimated data, not from published tables: ${p['blocks']}.`,
  NON_NORMAL_UNFACTORED: () => 'Distances with a non-normal condition are actual distances without margin.',
  VREF_ADD_BY_ITEM: (p) => `Inoperative items add ${p['knots']} kt to the reference speed.`,
  ADDITIVE_CAPPED: (p) => `Speed additive reduced to the maximum of ${p['knots']} kt.`,
  ADDITIVE_RAISED: (p) => `Speed additive raised to ${p['knots']} kt for autoland.`,
  NOTAM_SHORTENED: (p) => `Landing distance available reduced by ${p['distance']} (NOTAM).`,
  RUNWAY_NARROW: (p) =>
    `The runway is ${p['length']} wide, less than the ${p['minimum']} that this type needs.`,
  STEEP_APPROACH: (p) => `Steep approach of ${p['angleDeg']} degrees: ${p['consequence']}.`,
  VFE_NEAR: (p) =>
    `Approach speed ${p['vAppKt']} kt is only ${p['marginKt']} kt below the flap limit speed ${p['vfeKt']} kt.`,
  VFE_MARGIN: (p) => `Approach speed ${p['vAppKt']} kt exceeds the flap limit speed ${p['vfeKt']} kt.`,
  AUTOBRAKE_RELIEF: (p) =>
    `With ${p['autobrake']} the factored distance exceeds the landing distance available; manual braking meets it (dry or wet relief).`,
  ASSUMED: (p) => `Assumed, because neither report nor plan says it: ${p['parts']}.`,
  VARIABLE_WIND: () =>
    'The wind direction is variable or unknown: the whole wind counts as tailwind and as crosswind.',
  GRADIENT_BELOW_RUNWAY: (p) =>
    `The missed approach gradient of this runway is ${p['required']} %; ${p['percent']} % was requested.`,
  ADDITIVE_FOR_WIND: (p) => `Speed additive of ${p['knots']} kt for the wind and its gusts.`,
  ADDITIVE_BELOW_WIND: (p) =>
    `Speed additive of ${p['knots']} kt is less than the ${p['least']} kt for the wind and its gusts.`,
  NOTE: (p) => String(p['text'] ?? ''),
};

/** Text of a caution in English. */
export const cautionText = (caution: Caution): string => texts[caution.code](caution.params);
