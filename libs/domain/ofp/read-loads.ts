import type { z } from 'zod';
import type { Cursor } from './cursor.ts';
import { ranges } from './ranges.ts';
import { laterBy } from './scalars.ts';
import type { OfpTimes, OfpUnits, ofpFuelSchema, ofpWeightsSchema } from './schema.ts';
import type { Warnings } from './warnings.ts';

/** The unit of all weights and fuel; null with a warning if the plan names none that is known. */
export const readUnits = (plan: Cursor, warnings: Warnings): OfpUnits | null => {
  const units = plan.at('params').text(20, 'units') ?? plan.at('general').text(20, 'units');
  if (/^(?:kg|kilo)/i.test(units ?? '')) return 'kgs';
  if (/^(?:lb|pound)/i.test(units ?? '')) return 'lbs';
  warnings.add('UNITS_UNKNOWN', 'params.units', 'The plan does not say whether its weights are kgs or lbs.');
  return null;
};

export const readFuel = (fuel: Cursor): z.output<typeof ofpFuelSchema> => {
  const of = (...names: string[]): number | null => fuel.number(ranges.weight, ...names);
  return {
    taxi: of('taxi'),
    enroute: of('enroute_burn'),
    contingency: of('contingency'),
    alternate: of('alternate_burn'),
    reserve: of('reserve'),
    etops: of('etops'),
    extra: of('extra'),
    minimumTakeoff: of('min_takeoff'),
    takeoff: of('plan_takeoff'),
    ramp: of('plan_ramp'),
    landing: of('plan_landing'),
    averageFlow: of('avg_fuel_flow'),
    maxTanks: of('max_tanks'),
  };
};

export const readWeights = (weights: Cursor): z.output<typeof ofpWeightsSchema> => {
  const of = (...names: string[]): number | null => weights.number(ranges.weight, ...names);
  return {
    oew: of('oew'),
    pax: weights.integer(ranges.people, 'pax_count_actual', 'pax_count'),
    bags: weights.integer(ranges.weight, 'bag_count_actual', 'bag_count'),
    cargo: of('cargo'),
    payload: of('payload'),
    zfw: of('est_zfw'),
    maxZfw: of('max_zfw'),
    tow: of('est_tow'),
    maxTow: of('max_tow'),
    maxTowStructural: of('max_tow_struct'),
    ldw: of('est_ldw'),
    maxLdw: of('max_ldw'),
    ramp: of('est_ramp'),
    towLimit: weights.text(40, 'tow_limit_code'),
  };
};

const readBlock = (times: Cursor, kind: 'sched' | 'est'): OfpTimes['scheduled'] => ({
  out: times.time(`${kind}_out`),
  off: times.time(`${kind}_off`),
  on: times.time(`${kind}_on`),
  in: times.time(`${kind}_in`),
  blockSeconds: times.seconds(ranges.seconds, `${kind}_block`),
});

export const readTimes = (times: Cursor): OfpTimes => ({
  scheduled: readBlock(times, 'sched'),
  estimated: readBlock(times, 'est'),
  enrouteSeconds: times.seconds(ranges.seconds, 'est_time_enroute', 'sched_time_enroute'),
  taxiOutSeconds: times.seconds(ranges.seconds, 'taxi_out'),
  taxiInSeconds: times.seconds(ranges.seconds, 'taxi_in'),
  reserveSeconds: times.seconds(ranges.seconds, 'reserve_time'),
  enduranceSeconds: times.seconds(ranges.seconds, 'endurance'),
});

/** Takeoff time: estimated, else scheduled, else from the taxi time. */
export const takeoffTimeOf = ({ estimated, scheduled, taxiOutSeconds }: OfpTimes): string | null =>
  estimated.off ?? scheduled.off ?? laterBy(estimated.out ?? scheduled.out, taxiOutSeconds);
