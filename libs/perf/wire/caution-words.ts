import type { CautionCode, CautionParams } from '../landing/caution-codes.ts';
import { inUnits, quantity as q } from './amounts.ts';
import type { Quantity, Say } from './amounts.ts';
import { limitWords } from './limit-words.ts';

/** What a caution means, which field it is about, its text and the two numbers that it compares. */
export interface CautionWords<P> {
  /** of the request, or of `performance` in the answer; null: of none */
  field: string | null;
  meaning: string;
  text: (params: P, say: Say) => string;
  value?: (params: P) => Quantity;
  limit?: (params: P) => Quantity;
}

const weight = 'weight.landingWeight';
const distances = 'performance.autobrakeLandingDist';

/** Every caution in English, in the units of the request. */
export const cautionWords: { [C in CautionCode]: CautionWords<CautionParams[C]> } = {
  ...limitWords,
  FACTORED_ABOVE_LDA: {
    field: distances,
    meaning: 'The shortest factored distance is longer than the landing distance available.',
    text: (p, say) =>
      `Factored landing distance ${say('longer', p.distanceM)} exceeds the landing distance available ${say('available', p.ldaM)}.`,
    value: (p) => q('longer', p.distanceM),
    limit: (p) => q('available', p.ldaM),
  },
  UNFACTORED_ABOVE_LDA: {
    field: distances,
    meaning: 'The aircraft stops beyond the landing distance available.',
    text: (p, say) =>
      `The aircraft does not stop on the runway: actual distance ${say('longer', p.distanceM)}, available ${say('available', p.ldaM)}.`,
    value: (p) => q('longer', p.distanceM),
    limit: (p) => q('available', p.ldaM),
  },
  SMALL_MARGIN: {
    field: distances,
    meaning: 'The landing fits with less than 300 m to spare.',
    text: (p, say) =>
      `Margin to the end of the runway is ${say('available', p.marginM)}, less than ${say('longer', 300)}.`,
    value: (p) => q('available', p.marginM),
    limit: () => q('longer', 300),
  },
  MODES_ABOVE_LDA: {
    field: distances,
    meaning: 'Some brake modes do not fit, although the shortest one does.',
    text: (p) =>
      `With these brake modes the factored distance exceeds the landing distance available: ${p.modes}.`,
  },
  MODES_CANNOT_STOP: {
    field: 'performance.autobrakeNotPossible',
    meaning: 'Some brake modes never stop on this surface and slope.',
    text: (p) => `These brake modes do not stop the aircraft on this surface and slope: ${p.modes}.`,
  },
  CROSSWIND_LIMIT_INCREASED: {
    field: 'weather',
    meaning: 'The crosswind is within the increased limit, all of whose conditions are met.',
    text: (p, say) =>
      `Crosswind ${say('wind', p.crosswindKt)} is above ${say('wind', p.limitKt)} and within the increased limit of ${say('wind', p.raisedLimitKt)}. ${inUnits(p.rule, say)}`.trim(),
    value: (p) => q('wind', p.crosswindKt),
    limit: (p) => q('wind', p.raisedLimitKt),
  },
  REVERSER_CREDIT_NOT_TAKEN: {
    field: 'configuration.reverser',
    meaning: 'A failure or an item leaves fewer reversers than were selected.',
    text: (p) => `Reverse thrust is credited for ${p.reversers} reverser(s) only.`,
    value: (p) => q('', p.reversers),
  },
  AUTOBRAKE_UNAVAILABLE: {
    field: 'performance.autobrakeNotPossible',
    meaning: 'Brake modes of the request cannot be used with this failure or runway condition.',
    text: (p) => `Autobrake not available: ${p.autobrake}. Manual braking is shown.`,
  },
  BRAKE_CAUTION: {
    field: distances,
    meaning: 'The brake energy of a mode is in the caution zone.',
    text: () => 'Brake energy in the caution zone: brakes may overheat, wheel fuses may melt.',
  },
  QUICK_TURN_EXCEEDED: {
    field: weight,
    meaning: 'The brakes need time to cool before the next takeoff.',
    text: (p, say) =>
      `Quick turnaround limit weight ${say('massLimit', p.limitKg)}: wait ${p.waitMinutes} minutes before takeoff.`,
    value: (p) => q('mass', p.weightKg),
    limit: (p) => q('massLimit', p.limitKg),
  },
  EXTRAPOLATED: {
    field: weight,
    meaning: 'The case is outside the data of the type.',
    text: (p) => `Extrapolated beyond the data: ${p.what}.`,
  },
  ESTIMATED: {
    field: null,
    meaning: 'Parts of the data of the type are estimates, without published numbers.',
    text: (p) => `Estimated data, not from published tables: ${p.blocks}.`,
  },
  NON_NORMAL_UNFACTORED: {
    field: 'configuration.nonNormalCondition',
    meaning: 'With a non-normal condition no margin is added.',
    text: () => 'Distances with a non-normal condition are actual distances without margin.',
  },
  VREF_ADD_BY_ITEM: {
    field: 'inopItems',
    meaning: 'A failure or an item adds to the reference speed.',
    text: (p, say) => `Inoperative items add ${say('kt', p.knots)} to the reference speed.`,
    value: (p) => q('kt', p.knots),
  },
  CG_NOT_USED: {
    field: 'weight.cg',
    meaning: 'No published speed or distance of the type depends on the centre of gravity.',
    text: (p, say) =>
      `The centre of gravity of ${say('%', p.percent)} MAC changes no speed and no distance of this type.`,
    value: (p) => q('%', p.percent),
  },
  ADDITIVE_CAPPED: {
    field: 'configuration.vrefAdditive',
    meaning: 'The requested additive is above the maximum, which was used.',
    text: (p, say) => `Speed additive reduced to the maximum of ${say('kt', p.knots)}.`,
    value: (p) => q('kt', p.askedKt),
    limit: (p) => q('kt', p.knots),
  },
  ADDITIVE_RAISED: {
    field: 'configuration.vrefAdditive',
    meaning: 'The requested additive is below the minimum of an automatic landing, which was used.',
    text: (p, say) => `Speed additive raised to ${say('kt', p.knots)} for autoland.`,
    value: (p) => q('kt', p.askedKt),
    limit: (p) => q('kt', p.knots),
  },
  NOTAM_SHORTENED: {
    field: 'notam',
    meaning: 'A NOTAM or the request shortens the landing distance available.',
    text: (p, say) => `Landing distance available reduced by ${say('longer', p.distanceM)} (NOTAM).`,
    value: (p) => q('longer', p.distanceM),
  },
  VFE_NEAR: {
    field: 'performance.vApp',
    meaning: 'The approach speed is close to the limit speed of the flap.',
    text: (p, say) =>
      `Approach speed ${say('kt', p.vAppKt)} is only ${say('kt', p.marginKt)} below the flap limit speed ${say('kt', p.vfeKt)}.`,
    value: (p) => q('kt', p.vAppKt),
    limit: (p) => q('kt', p.vfeKt),
  },
  AUTOBRAKE_RELIEF: {
    field: distances,
    meaning: 'On a dry or wet runway only manual braking meets the margin.',
    text: (p) =>
      `With ${p.autobrake} the factored distance exceeds the landing distance available; manual braking meets it (dry or wet relief).`,
  },
  ASSUMED: {
    field: 'sources',
    meaning: 'Parts of the situation are assumed, because neither report nor plan has them.',
    text: (p, say) => `Assumed, because neither report nor plan says it: ${inUnits(p.parts, say)}.`,
  },
  VARIABLE_WIND: {
    field: 'weather.windDirection',
    meaning: 'The wind direction is variable or unknown.',
    text: () =>
      'The wind direction is variable or unknown: the whole wind counts as tailwind and as crosswind.',
  },
  GRADIENT_BELOW_RUNWAY: {
    field: 'configuration.missedApproachClimbGradient',
    meaning: 'The requested missed approach gradient is below that of the runway.',
    text: (p, say) =>
      `The missed approach gradient of this runway is ${say('%', p.required)}; ${say('%', p.percent)} was requested.`,
    value: (p) => q('%', p.percent),
    limit: (p) => q('%', p.required),
  },
  ADDITIVE_FOR_WIND: {
    field: 'configuration.vrefAdditive',
    meaning: 'The request has no additive; that for the wind and its gusts was used.',
    text: (p, say) => `Speed additive of ${say('kt', p.knots)} for the wind and its gusts.`,
    value: (p) => q('kt', p.knots),
  },
  ADDITIVE_ON_TOP: {
    field: 'configuration.vrefAdditive',
    meaning: 'Family A: the requested additive is added to the correction for wind, auto-thrust and ice.',
    text: (p, say) =>
      `Speed additive of ${say('kt', p.knots)} on top of the correction for wind, auto-thrust and ice: VLS + ${say('kt', p.totalKt)}.`,
    value: (p) => q('kt', p.knots),
    limit: (p) => q('kt', p.totalKt),
  },
  ADDITIVE_BELOW_WIND: {
    field: 'configuration.vrefAdditive',
    meaning: 'The requested additive is less than that for the wind and its gusts.',
    text: (p, say) =>
      `Speed additive of ${say('kt', p.knots)} is less than the ${say('kt', p.least)} for the wind and its gusts.`,
    value: (p) => q('kt', p.knots),
    limit: (p) => q('kt', p.least),
  },
  NOTE: {
    field: 'configuration.nonNormalCondition',
    meaning: 'A remark of the profile on the failure in use.',
    text: (p, say) => inUnits(p.text, say),
  },
};
