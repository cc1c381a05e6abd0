import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const script = resolve(import.meta.dirname, 'decode.ts');
const run = (args: string[], input: string) =>
  spawnSync(process.execPath, [script, ...args], { input, encoding: 'utf8' });

describe('decoding on the command line', () => {
  test('METAR are one JSON line each, blank lines are skipped, and invalid text gives nulls', () => {
    const input =
      'METAR EGLL 151020Z 24012G25KT 200V280 4000 R27L/0900D -RA BKN008 12/08 Q1013\r\n\nno report\n';
    const { stdout, status } = run(['metar'], input);
    const [first, second, ...others] = stdout
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect([status, others.length]).toEqual([0, 0]);
    expect(first).toEqual({
      raw: 'METAR EGLL 151020Z 24012G25KT 200V280 4000 R27L/0900D -RA BKN008 12/08 Q1013',
      icao: 'EGLL',
      windDir: 240,
      windSpeedKt: 12,
      gustKt: 25,
      visibilityM: 4000,
      rvr: [{ runway: '27L', minM: 900, maxM: 900, bound: null, tendency: 'D' }],
      qnhHpa: 1013,
      temperatureC: 12,
      dewpointC: 8,
      weather: ['-RA'],
      clouds: [{ amount: 'BKN', baseFt: 800, type: null }],
      runwayStates: [],
      highlighted: expect.arrayContaining([{ text: 'EGLL', color: '#29B6F6', spaceSuffix: true }]),
      decoded: expect.stringContaining(
        'Wind: 240 degrees true at 12 kt, gusts 25 kt, varying between 200 and 280',
      ),
      undecoded: [],
    });
    expect(second).toMatchObject({ icao: null, windDir: null, qnhHpa: null, undecoded: ['no', 'report'] });
  });

  test('Vertical visibility is a cloud entry', () => {
    const input =
      'METAR LOWI 151020Z 00000KT 0200 FG VV002 01/01 Q1020\nMETAR LOWI 151020Z 00000KT 0200 FG VV/// 01/01 Q1020\n';
    const clouds = run(['metar'], input)
      .stdout.trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { clouds: unknown }).clouds);
    expect(clouds).toEqual([[{ amount: 'VV', baseFt: 200, type: null }], []]);
  });

  test('TAF are decoded by their first period', () => {
    const { stdout } = run(['taf'], 'TAF EGLL 151100Z 1512/1618 VRB03KT 9999 NSC BECMG 1514/1516 27015KT\n');
    expect(JSON.parse(stdout)).toMatchObject({
      icao: 'EGLL',
      windDir: null,
      windSpeedKt: 3,
      visibilityM: 9999,
    });
  });

  test('An unknown kind lists the known ones', () => {
    const { stderr, status } = run(['weather'], '');
    expect(status).toBe(2);
    expect(stderr).toMatch(/metar\|.*taf/);
  });
});
