import { describe, expect, test } from 'vitest';
import { profile } from '../fixtures/aircraft.ts';
import { caseOf, speeds, takeoff } from '../fixtures/takeoff-cases.ts';
import { atmosphere, pressureAltitude } from '../kernel/atmosphere.ts';
import { itemsOf } from './items.ts';
import { trueMps } from './machine.ts';
import { pathHolds } from './path.ts';
import { situationOf } from './situation.ts';
import type { Shared } from './situation.ts';
import type { TakeoffCase } from './types.ts';

const sharedOf = (given: TakeoffCase): Shared => {
  const aircraft = profile('737-800-7B26');
  const model = aircraft.takeoffPerformance;
  if (!model) throw new Error('no takeoff performance');
  const { runway, weather } = given;
  const actual = atmosphere(pressureAltitude(runway.elevationM, weather.qnhPa), weather.temperatureK);
  return {
    profile: aircraft,
    model,
    takeoff: given,
    actual,
    rating: 'TO',
    ratingShare: 1,
    items: itemsOf(aircraft, given),
  };
};

describe('V1 by surface', () => {
  test('On a wet runway both the dry distances from the dry V1 and the wet distances from the lower wet V1 have to fit (G-07)', () => {
    for (const id of ['737-800-7B26', '777-300ER', 'A320-214']) {
      const at = { id, flap: profile(id).takeoff.flaps[1] ?? '', metres: 2100 };
      const massKg = takeoff({ ...at, state: 'WET' }).limitKg ?? 0;
      const [dry, wet] = [speeds({ ...at, massKg }), speeds({ ...at, massKg, state: 'WET' })];
      expect(wet.v1Kt, id).toBeLessThan(dry.v1Kt);
      // The longer of two: to 15 ft from the wet V1, to 35 ft from the dry V1. To 35 ft from the wet V1 would be longer than both.
      expect(wet.required.todM, id).toBeGreaterThanOrEqual(dry.required.todM - 0.2);
      expect(wet.required.todM, id).toBeLessThanOrEqual(2100);
      expect(wet.required.asdM, id).toBeGreaterThanOrEqual(dry.required.asdM);
    }
  });

  test('The net path from the actual V1 clears an obstacle at the obstacle limit (G-07)', () => {
    for (const state of ['DRY', 'WET']) {
      const near = { state, obstacles: [{ distanceM: 5000, heightM: 100 }] };
      const massKg = takeoff(near).limits.obstacleKg ?? 0;
      const { v1Kt } = speeds({ ...near, massKg });
      const shared = sharedOf(caseOf({ ...near, massKg }));
      const situation = situationOf(shared, { flap: '5', improvedKt: 0 }, shared.actual.temperatureK);
      const ground = situation.grounds.at(-1);
      if (!ground) throw new Error('no surface');
      const holds = (kg: number): boolean =>
        pathHolds(situation, ground, kg, trueMps(situation.machine, v1Kt));
      expect([state, holds(massKg), holds(massKg + 1000)]).toEqual([state, true, false]);
    }
  });
});
