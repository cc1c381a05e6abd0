import { expect, test } from 'vitest';
import { cautions, profiles, run } from '../fixtures/aircraft.ts';

test('Winds beyond autoland limits exceed a limit in an autoland only, for every type (M-2.9.c4)', () => {
  for (const [id, { landing, weight }] of profiles) {
    const { headwind, tailwind, crosswind } = landing.autolandWindLimit;
    for (const mode of ['dispatch', 'inflight']) {
      const inWind = (weather: object, autoland: boolean) =>
        cautions(id, { mode, weather, weightKg: 0.9 * weight.mslw, configuration: { autoland } });
      for (const [code, above, at] of [
        ['HEADWIND_LIMIT', { headwindKt: headwind + 1 }, { headwindKt: headwind }],
        ['TAILWIND_LIMIT', { headwindKt: -tailwind - 1 }, { headwindKt: -tailwind }],
        ['CROSSWIND_LIMIT', { crosswindKt: crosswind + 1 }, { crosswindKt: crosswind }],
      ] as const) {
        expect(inWind(above, true), `${id} ${mode} ${code}`).toContain(code);
        expect(inWind(at, true), `${id} ${mode} ${code}`).not.toContain(code);
        const isLimitOfType = code === 'TAILWIND_LIMIT' && tailwind === landing.windLimit.tailwind;
        expect(inWind(above, false).includes(code), `${id} ${mode} ${code}`).toBe(isLimitOfType);
      }
    }
    const applied = JSON.stringify(
      run(id, { weightKg: 0.9 * weight.mslw, configuration: { autoland: true } })['applied'],
    );
    expect(applied).toContain(`headwind ${headwind}, tailwind ${tailwind}, crosswind ${crosswind}`);
  }
});
