import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadProfiles } from '#data/aircraft/profiles.ts';
import { checkProfile } from '#perf/check/profile.ts';
import { testFolder } from '#test/harness.ts';
import { answerLine } from './calc.ts';
import { readProfileFile } from './profile-files.ts';

const profiles = await loadProfiles(checkProfile);
const ask = (line: unknown): Record<string, unknown> =>
  answerLine(profiles, typeof line === 'string' ? line : JSON.stringify(line));

const inflight = {
  id: 7,
  aircraft: 'A320-251N',
  mode: 'inflight',
  runway: { ldaM: 3000, elevationFt: 0, slopePercent: 0 },
  weather: { headwindKt: 0, temperatureC: 15, qnhHpa: 1013.25 },
  runwayCondition: { state: 'DRY', depthMm: 0 },
  configuration: {
    flap: 'FULL',
    autobrake: 'ALL',
    reversers: 'ALL',
    vAppAdditiveKt: 0,
    autoland: false,
    antiIce: 'OFF',
    missedApproachClimbGradientPercent: 2.5,
    nonNormalCondition: null,
    mel: [],
    cdl: [],
  },
  weightKg: 68_000,
};

describe('command-line calculator', () => {
  test('A landing with assess has every runway condition code and one change each, in metres (G-07)', () => {
    const { assessment } = ask({ ...inflight, assess: true }) as {
      assessment: { codes: { modes: { factoredDistance: number }[] }[]; sensitivity: unknown[] };
    };
    expect([assessment.codes.length, assessment.sensitivity.length]).toEqual([6, 6]);
    const needed = assessment.codes.map(({ modes }) => modes[0]?.factoredDistance ?? Infinity);
    expect(needed.toSorted((a, b) => a - b)).toEqual(needed);
    expect(needed[0]).toBeGreaterThan(500);
  });

  test('A landing in flight has its id, speeds and every mode with distances, energy and cooling', () => {
    const out = ask(inflight);
    expect(out).toMatchObject({ id: 7, ok: true, isOverweight: true });
    const modes = out['modes'] as Record<string, unknown>[];
    expect(modes.map((mode) => mode['autobrake'])).toEqual(['MAN', 'MED', 'LO']);
    for (const key of [
      'autobrake',
      'label',
      'actualDistanceM',
      'landingDistanceM',
      'factoredDistanceM',
      'unfactoredDistanceM',
      'airDistanceM',
      'brakeEnergyPerBrakeMJ',
      'coolingGroundMin',
    ]) {
      expect(modes[0]).toHaveProperty(key);
    }
    for (const key of ['vRefKt', 'vAppKt', 'goAroundGradientPercent', 'cautions', 'applied'])
      expect(out).toHaveProperty(key);
  });

  test('A dispatch has the landing weight, each limit and distances', () => {
    const out = ask({ id: 'd', aircraft: '737-800-7B26', mode: 'dispatch', runway: { ldaM: 1800 } });
    for (const key of [
      'landingWeightKg',
      'limitedBy',
      'fieldLimitKg',
      'appClimbLimitKg',
      'ldgClimbLimitKg',
      'tireSpeedKg',
      'quickTurnWeightKg',
      'quickTurnTimeMin',
      'requiredLandingDistM',
      'goAroundGradientPercent',
    ]) {
      expect(out).toHaveProperty(key);
    }
    expect(out['id']).toBe('d');
  });

  test('The id is returned unchanged, whatever its form', () => {
    expect(ask({ ...inflight, id: { a: [1] } })['id']).toEqual({ a: [1] });
    expect(ask({ ...inflight, id: null })['id']).toBeNull();
  });

  test.each([
    ['INVALID_JSON', '{nope'],
    ['AIRCRAFT_NOT_FOUND', { ...inflight, aircraft: 'Concorde' }],
    ['INVALID_INPUT', { ...inflight, runway: {} }],
    ['INVALID_INPUT', { ...inflight, wether: {} }],
    ['UNKNOWN_FLAP', { ...inflight, configuration: { flap: '9' } }],
    ['UNKNOWN_FLAP', { ...inflight, configuration: { flap: '1+F' } }],
    ['UNKNOWN_FLAP', { ...inflight, aircraft: '737-800-7B26', configuration: { flap: 'OPTIMUM' } }],
    ['UNKNOWN_OPTION', { ...inflight, configuration: { autobrake: 'TURBO' } }],
    ['UNKNOWN_OPTION', { ...inflight, mode: 'dispatch', configuration: { autobrake: 'TURBO' } }],
    ['TOO_MANY_REVERSERS', { ...inflight, configuration: { reversers: 9 } }],
    ['UNKNOWN_OPTION', { ...inflight, configuration: { antiIce: 'SOMETIMES' } }],
    ['UNKNOWN_OPTION', { ...inflight, configuration: { acBleed: 'MAYBE' } }],
    ['UNKNOWN_OPTION', { ...inflight, configuration: { speedbrake: 'HALF' } }],
    ['UNKNOWN_OPTION', { ...inflight, configuration: { cgPosition: 'FRONT' } }],
    ['WEIGHT_REQUIRED', { ...inflight, weightKg: undefined }],
    ['WEIGHT_ABOVE_MTOW', { ...inflight, weightKg: 99_000 }],
    ['RWYCC_0', { ...inflight, runwayCondition: { rwycc: 0 } }],
    ['NO_LANDING_WEIGHT', { ...inflight, mode: 'dispatch', runway: { ldaM: 500 } }],
    [
      'CANNOT_STOP',
      {
        ...inflight,
        runway: { ldaM: 3000, slopePercent: -2 },
        runwayCondition: { rwycc: 1 },
        configuration: { flap: 'FULL', mel: ['32-42-20'], reversers: 'NONE', nonNormalCondition: 'HYD_G_Y' },
      },
    ],
  ])('%s is a refusal with code and message', (code, line) => {
    const out = ask(line);
    expect(out).toMatchObject({ ok: false, error: { code } });
    expect((out['error'] as { message: string }).message.length).toBeGreaterThan(10);
  });
});

test('The exit status is 1 when every line fails, and 0 when any line has an answer', async () => {
  const statusOf = (input: string): Promise<number | null> => {
    const child = spawn(process.execPath, ['tools/calc.ts'], { stdio: ['pipe', 'ignore', 'inherit'] });
    child.stdin.end(input);
    return new Promise((resolve) => {
      child.once('exit', resolve);
    });
  };
  const good = JSON.stringify(inflight);
  const bad = JSON.stringify({ ...inflight, aircraft: 'Concorde' });
  const statuses = [`${bad}\nnonsense\n`, `${bad}\n${good}\n`].map(statusOf);
  expect(await Promise.all(statuses)).toEqual([1, 0]);
});

test('Variants are found by name with a slash and by file name', () => {
  const limits = ['737-800/7B26', '737-800-7B26'].map((aircraft) => {
    const line = JSON.stringify({ id: 1, aircraft, mode: 'dispatch', runway: { ldaM: 2500 } });
    return answerLine(profiles, line)['fieldLimitKg'];
  });
  expect(limits[0]).toEqual(expect.any(Number));
  expect(limits[1]).toBe(limits[0]);
});

describe('profiles read from files', () => {
  const write = async (folder: string, name: string, json: unknown): Promise<string> => {
    const file = join(folder, `${name}.json`);
    await writeFile(file, typeof json === 'string' ? json : JSON.stringify(json));
    return file;
  };
  const calc = (args: string[], input = ''): Promise<{ status: number | null; out: string; err: string }> => {
    const child = spawn(process.execPath, ['tools/calc.ts', ...args]);
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk) => (out += String(chunk)));
    child.stderr.on('data', (chunk) => (err += String(chunk)));
    child.stdin.end(input);
    return new Promise((resolve) => {
      child.once('close', (status) => resolve({ status, out, err }));
    });
  };

  test('A profile and one based on it are calculated as fleetSave would store them', async () => {
    const folder = await testFolder();
    const parent = await write(folder, 'mine', {
      profile: { user_registration: 'd-aiza', basedOnProfile: 'A320-251N' },
      weight: { mslw: 65_000 },
    });
    const child = await write(folder, 'd-aizb', {
      profile: { basedOnProfile: 'D-AIZA' },
      landing: { vrefLabel: 'VLS' },
    });
    const args = ['--profile', parent, '--profile', child];
    const { aircraft: _, ...unnamed } = inflight;
    const lines = [inflight, { ...inflight, aircraft: 'd-aiza' }, unnamed].map((line) =>
      JSON.stringify({ ...line, weightKg: 66_000 }),
    );
    const { status, out } = await calc(args, lines.join('\n'));
    const answers = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect([status, answers.map((answer) => answer['isOverweight'])]).toEqual([0, [false, true, true]]);
    expect(await calc([...args, '--check'])).toMatchObject({
      status: 0,
      out: expect.stringMatching(/: ok\n$/),
    });
  });

  test('A file that fleetSave would refuse is refused with path and reason, one per line', async () => {
    const folder = await testFolder();
    const based = { profile: { basedOnProfile: 'A320-251N' } };
    const refused: [json: unknown, reason: RegExp][] = [
      ['{', /JSON/],
      [{}, /must be an object with members/],
      [{ weight: {} }, /profile\.basedOnProfile: must name the parent/],
      [{ profile: { basedOnProfile: 'NONE' } }, /NONE is neither/],
      [{ ...based, weight: { mslw: 'x' } }, /: weight\.mslw: /],
      [{ ...based, weight: { mslw: 9 } }, /: weight\.mslw: 9 kg is outside/],
      [
        '{"profile":{"basedOnProfile":"A320-251N"},"a":{"__proto__":1}}',
        /a\.__proto__: this key is not allowed/,
      ],
    ];
    for (const [i, [json, reason]] of refused.entries()) {
      const file = await write(folder, `p${i}`, json);
      await expect(readProfileFile(file, profiles, new Map())).rejects.toThrow(reason);
    }
    const { status, err } = await calc(['--profile', join(folder, 'p4.json'), '--check']);
    expect([status, err.trim().split('\n')]).toEqual([
      1,
      [expect.stringMatching(/p4\.json: weight\.mslw: /)],
    ]);
  });
});
