import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aircraftProfileSchema } from '#domain/aircraft/profile.ts';
import { checkFleetProfile, checkProfile } from '#perf/check/profile.ts';
import { isDeep, sampled } from '#test/support/deep.ts';
import { AircraftProfileError, standardAircraft, loadProfiles } from './profiles.ts';

let folder: string;
const good = async (): Promise<Record<string, unknown>> =>
  JSON.parse(await readFile(join(standardAircraft, '737-800-7B26.json'), 'utf8'));
const put = (name: string, json: unknown): Promise<void> =>
  writeFile(join(folder, `${name}.json`), typeof json === 'string' ? json : JSON.stringify(json));
const refused = async (): Promise<AircraftProfileError> => {
  const error: unknown = await loadProfiles(checkProfile, folder).then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof AircraftProfileError)) throw new Error(`not refused: ${String(error)}`);
  return error;
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aircraft-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('aircraft loader', () => {
  test('The standard aircraft load in order, each with its golden points within tolerance', async () => {
    const profiles = await loadProfiles(checkProfile);
    expect([...profiles.keys()]).toEqual([...profiles.keys()].toSorted());
    expect(profiles.has('A320-251N')).toBe(true);
    expect(profiles.get('737-800-7B26')?.vectors.length).toBeGreaterThan(2);
  });

  test('An extra file is an extra aircraft', async () => {
    await put('one', { ...(await good()), id: 'one' });
    await put('two', { ...(await good()), id: 'two' });
    expect([...(await loadProfiles(checkProfile, folder)).keys()]).toEqual(['one', 'two']);
  });

  test('An invalid file stops loading with its name and every reason', async () => {
    await put('broken', '{');
    expect((await refused()).message).toContain('broken');
    await put('broken', { ...(await good()), id: 'broken', engineCount: 7, wingAreaM2: -1 });
    const problems = (await refused()).problems.join();
    expect(problems).toContain('engineCount');
    expect(problems).toContain('wingAreaM2');
  });

  test('The id must be the file name', async () => {
    await put('other', await good());
    expect((await refused()).problems.join()).toContain('differs from the file name');
  });

  test.each([
    [
      'weights out of order',
      (json: Record<string, unknown>) => ({ weight: { ...(json['weight'] as object), mslw: 90_000 } }),
      'weights must rise',
    ],
    [
      'an autobrake quicker than a stronger one',
      (json: Record<string, unknown>) => ({
        autobrakes: (json['autobrakes'] as { value: string }[]).map((mode) =>
          mode.value === '1' ? { ...mode, delayS: 0.1 } : mode,
        ),
      }),
      'delay shorter',
    ],
    [
      'friction better on ice',
      (json: Record<string, unknown>) => {
        const braking = json['braking'] as { friction: object };
        return {
          braking: { ...braking, friction: { ...braking.friction, 6: { kind: 'constant', mu: 0.05 } } },
        };
      },
      'friction of code',
    ],
    [
      'a flap that does not exist',
      (json: Record<string, unknown>) => ({ landing: { ...(json['landing'] as object), vrefFlapRef: '99' } }),
      'unknown flap 99',
    ],
    [
      'a golden point out of tolerance',
      () => ({
        vectors: [
          {
            name: 'wrong',
            input: { mode: 'inflight', runway: { ldaM: 3000 }, weightKg: 60_000 },
            expect: { vRefKt: 90 },
            tolerancePercent: 1,
            source: 'test',
          },
        ],
      }),
      'golden point "wrong"',
    ],
  ])('The profile is refused: %s', async (_, change, reason) => {
    const json = await good();
    await put('bad', { ...json, id: 'bad', ...change(json) });
    expect((await refused()).problems.join()).toContain(reason);
  });
});

describe('checkFleetProfile', () => {
  const isObject = (node: unknown): node is Record<string, unknown> =>
    typeof node === 'object' && node !== null;
  const numbersIn = (node: unknown, path: string[] = []): string[][] => {
    if (typeof node === 'number') return [path];
    return isObject(node)
      ? Object.entries(node).flatMap(([key, child]) => numbersIn(child, [...path, key]))
      : [];
  };
  const withValue = (node: unknown, [key = '', ...rest]: string[], value: number): unknown => {
    const copy = (Array.isArray(node) ? [...(node as unknown[])] : { ...(node as object) }) as Record<
      string,
      unknown
    >;
    copy[key] = rest.length > 0 ? withValue(copy[key], rest, value) : value;
    return copy;
  };

  test('Whatever figures a profile has, it is refused with a path or gives finite landings', async () => {
    const profile = (await loadProfiles(checkProfile)).get('737-800-7B26');
    const { vectors: _, ...json } = profile ?? { vectors: [] };
    const extremes = [0, -1, 1e-9, 1e9, 1e300];
    const outcomes = { refused: 0, accepted: 0 };
    for (const [i, path] of sampled(numbersIn(json), 4).entries()) {
      const parsed = aircraftProfileSchema.safeParse(withValue(json, path, extremes[i % 5] ?? 0));
      const problems = parsed.success ? checkFleetProfile(parsed.data, false) : ['schema'];
      outcomes[problems.length > 0 ? 'refused' : 'accepted'] += 1;
      for (const problem of parsed.success ? problems : []) expect(problem).toMatch(/^[\w.-]+: /);
    }
    const least = isDeep ? 100 : 25;
    expect(outcomes.refused).toBeGreaterThan(least);
    expect(outcomes.accepted).toBeGreaterThan(least);
  });
});
