import { atmosphere, pressureAltitude, toCelsius } from '../kernel/atmosphere.ts';
import { attempt } from '../landing/problem.ts';
import { reducesThrust } from './assumed.ts';
import { checkTakeoff } from './envelope.ts';
import { allHold } from './limits.ts';
import type { Setting, Shared } from './situation.ts';
import { situationOf } from './situation.ts';
import type { Validity } from './types.ts';

/** How far weather may change, where every limit still holds then, before a result must be calculated again. */
const most = { qnhHpa: 5, temperatureC: 3 };
const steps = 5;

/** Whether the weather of a case is within the envelope. */
const isInside = ({ profile, takeoff, actual }: Shared): boolean =>
  attempt(() => checkTakeoff(profile, takeoff, actual)).ok;

/** Lowest QNH and highest temperature at which a mass is still carried, at the thrust of the rating and at an assumed temperature. */
export const validityOf = (
  shared: Shared,
  setting: Setting,
  massKg: number | null,
  assumedC: number | null,
): Validity => {
  const { takeoff } = shared;
  const { weather, runway } = takeoff;
  const weatherAt = (step: number) => ({
    ...weather,
    qnhPa: weather.qnhPa - (100 * most.qnhHpa * step) / steps,
    temperatureK: weather.temperatureK + (most.temperatureC * step) / steps,
  });
  const holds = (step: number, kg: number): boolean => {
    const changed = weatherAt(step);
    const actual = atmosphere(pressureAltitude(runway.elevationM, changed.qnhPa), changed.temperatureK);
    const then: Shared = { ...shared, actual, takeoff: { ...takeoff, weather: changed } };
    if (!isInside(then) || !allHold(situationOf(then, setting, changed.temperatureK), kg)) return false;
    return assumedC === null || reducesThrust(then, setting, kg, assumedC);
  };
  let step = massKg === null ? 0 : steps;
  while (step > 0 && massKg !== null && !holds(step, massKg)) step -= 1;
  const { qnhPa, temperatureK } = weatherAt(step);
  return { qnhHpa: qnhPa / 100, temperatureC: toCelsius(temperatureK) };
};
