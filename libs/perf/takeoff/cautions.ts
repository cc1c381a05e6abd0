import { mpsToKt } from '../kernel/units.ts';
import { cautionList } from '../landing/caution-codes.ts';
import type { Caution, Cautions } from '../landing/caution-codes.ts';
import { isNarrower } from '../landing/rounding.ts';
import { limitingWind, windCautions } from '../landing/wind-limits.ts';
import { leastAssumed } from './assumed.ts';
import type { Shared } from './situation.ts';
import { whyFullThrust } from './situation.ts';
import type { TakeoffResult } from './types.ts';

/** The result that cautions refer to. */
interface Outcome extends Pick<
  TakeoffResult,
  'flap' | 'limits' | 'limitedBy' | 'improvedKt' | 'rwycc' | 'validity' | 'speedEvidence'
> {
  limitKg: number;
  highestC: number | null;
}

const aboutWeight = (
  { takeoff }: Shared,
  { limits, limitKg, limitedBy }: Outcome,
  { add }: Cautions,
): void => {
  const { massKg: weightKg } = takeoff;
  const minimumKg = limits.vmcMinimumKg;
  if (limitKg <= 0) add('NO_TAKEOFF_WEIGHT', 'warning', {});
  else if (weightKg !== undefined && weightKg > limitKg)
    add('WEIGHT_ABOVE_LIMIT', 'warning', { weightKg, limitKg, limitedBy });
  if (weightKg !== undefined && minimumKg !== null && weightKg < minimumKg)
    add('MINIMUM_CONTROL_SPEED', 'advisory', { weightKg, minimumKg });
};

const aboutWind = ({ profile, takeoff }: Shared, { rwycc }: Outcome, out: Cautions): void => {
  const { widthM, toraM, toraInForceM = toraM } = takeoff.runway;
  const lengthM = Math.min(toraM, toraInForceM);
  const raisedBy = { widthM, lengthM, cgPercent: takeoff.cgPercent, hasFlap: () => false };
  windCautions(profile.takeoff.windLimit, limitingWind(takeoff.weather), rwycc, raisedBy, out);
};

const aboutWidth = ({ profile, takeoff }: Shared, { add }: Cautions): void => {
  const { widthM: lengthM } = takeoff.runway;
  const minimumM = profile.limits.runwayWidthMinM;
  if (lengthM !== undefined && isNarrower(lengthM, minimumM))
    add('RUNWAY_NARROW', 'warning', { lengthM, minimumM });
};

const aboutThrust = (shared: Shared, { highestC, improvedKt }: Outcome, { add }: Cautions): void => {
  const asked = shared.takeoff.configuration.assumedTemperature;
  const why = whyFullThrust(shared);
  if (why !== null) add('FULL_THRUST', 'advisory', { why });
  else if (typeof asked === 'number' && shared.takeoff.massKg !== undefined) {
    const leastC = leastAssumed(shared);
    if (highestC === null || asked > highestC)
      add('ASSUMED_TEMPERATURE_TOO_HIGH', 'warning', { askedC: asked, highestC });
    else if (asked < leastC) add('ASSUMED_TEMPERATURE_TOO_LOW', 'advisory', { askedC: asked, leastC });
  }
  if (improvedKt > 0) add('IMPROVED_CLIMB', 'advisory', { knots: improvedKt });
};

/** Cautions for the crew. */
export const cautionsOf = (shared: Shared, outcome: Outcome): Caution[] => {
  const out = cautionList();
  const { add } = out;
  const { model, takeoff } = shared;
  const { obstacles, condition, runway, weather } = takeoff;
  aboutWeight(shared, outcome, out);
  aboutWind(shared, outcome, out);
  aboutWidth(shared, out);
  const { state, operator } = condition;
  const { rwycc } = outcome;
  if (operator && rwycc > operator.code)
    add('OFFICIAL_CONDITION_WORSE', 'warning', { ...operator, state, rwycc });
  if (obstacles.length === 0) add('OBSTACLES_NOT_CONSIDERED', 'advisory', {});
  aboutThrust(shared, outcome, out);
  if (!model.fittedFlaps.includes(outcome.flap)) add('TAKEOFF_ESTIMATED', 'advisory', { flap: outcome.flap });
  const { v1, vR, v2 } = outcome.speedEvidence;
  if ([v1, vR, v2].some(({ quality }) => quality === 'estimated'))
    add('SPEEDS_ESTIMATED', 'advisory', { v1Kt: v1.bandKt, vRKt: vR.bandKt, v2Kt: v2.bandKt });
  if (state !== 'DRY') add('SCREEN_15_FT', 'advisory', {});
  if ((runway.lineupAngle ?? 0) !== 0) {
    if (!model.lineup) add('LINEUP_NOT_KNOWN', 'advisory', {});
    else if (model.lineupIsEstimated) add('LINEUP_ESTIMATED', 'advisory', {});
  }
  add('VALIDITY', 'advisory', { ...outcome.validity, headwindKt: mpsToKt(weather.headwindMps) });
  return out.list;
};
