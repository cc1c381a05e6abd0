import { expect, test } from 'vitest';
import { profile } from '../fixtures/aircraft.ts';
import { drawTakeoff } from '../fixtures/takeoffs.ts';

test('A landing weight limited by the profile limits the return, too (G-07)', () => {
  const boeing = profile('737-800-7B26');
  const limited = { ...boeing, weight: { ...boeing.weight, performanceLimitedWeight: 60_000 } };
  const data = { weight: { takeoffWeight: 62_000 } };
  expect(drawTakeoff(limited, {}, { name: 'limited', data }).answer.performance?.returnLanding).toEqual({
    maxLandingWeight: 60_000,
    isOverweight: true,
    limitWeight: 60_000,
    limitedBy: 'STRUCT.',
  });
});
