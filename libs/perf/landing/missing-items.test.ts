/** Effect of missing parts (CDL) on the climb after a balked landing. */
import { expect, test } from 'vitest';
import { profile, profiles, value } from '../fixtures/aircraft.ts';

const gradient = 'goAroundGradientPercent';

test('An item that lowers climb-limited weights also lowers the shown gradient and the missed-approach weight', () => {
  let items = 0;
  for (const id of profiles.keys())
    for (const { value: item, effect } of profile(id).cdl) {
      const { climbWeightDecrementKg: decrementKg = 0, vrefAddKt = 0 } = effect;
      if (decrementKg === 0 || vrefAddKt > 0) continue;
      items += 1;
      const weightKg = profile(id).weight.mslw;
      const heavier = value(id, { runway: { ldaM: 5000 }, weightKg: weightKg + decrementKg }, gradient);
      expect([
        id,
        item,
        value(id, { runway: { ldaM: 5000 }, weightKg, configuration: { cdl: [item] } }, gradient),
      ]).toEqual([id, item, heavier]);
      if (profile(id).family === 'B') continue;
      const missed = (cdl: string[]) =>
        value(
          id,
          {
            mode: 'dispatch',
            runway: { ldaM: 5000 },
            configuration: { cdl, missedApproachClimbGradientPercent: 9 },
          },
          'macgLimitKg',
        );
      expect([id, item, Math.abs(missed([]) - missed([item]) - decrementKg) <= 1]).toEqual([id, item, true]);
    }
  expect(items).toBeGreaterThan(20);
});
