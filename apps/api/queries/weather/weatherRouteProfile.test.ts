import { XMLValidator } from 'fast-xml-parser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { refusal } from '#test/support/answers.ts';
import {
  planWithoutRoute,
  refusedRoutes,
  sigmetOver,
  storeSigmets,
  storeWinds,
} from '#test/support/route.ts';

let api: TestApi;
let user: TestUser;
let devKey: string;
beforeAll(async () => {
  api = await testApi();
  user = await api.user();
  devKey = await api.key({ weather: true });
});
afterAll(() => api.close());

const ask = (data: object) => api.call('weatherRouteProfile', { token: user.token, devKey, data });
/** From the southern to the northern hemisphere over the date line. */
const route = {
  time: '2026-09-16T12:00:00Z',
  waypoints: [
    { ident: 'NZAA', latitude: -37, longitude: 174.8, flightLevel: 0 },
    { ident: 'SOUTH', latitude: -30, longitude: 178, flightLevel: 340 },
    { ident: 'PHNL <&"', latitude: 21, longitude: -158, flightLevel: 380 },
  ],
};
const drawn = async (data: object = {}): Promise<string> =>
  String((await ask({ ...route, ...data })).body['svg']);
const attributes = (svg: string, name: string): string[] =>
  [...svg.matchAll(new RegExp(`data-${name}="([^"]*)"`, 'g'))].map(([, value = '']) => value);

test('Without winds and warnings only the flight is drawn, and the drawing says so', async () => {
  const { status, body } = await ask(route);
  expect(status).toBe(200);
  expect(body).toMatchObject({ success: true, source: null, width: 800, departureTime: route.time });
  const svg = String(body['svg']);
  expect(attributes(svg, 'wind')).toEqual([]);
  expect(svg).toContain('none are stored');
  expect(XMLValidator.validate(svg)).toBe(true);
});

describe('with winds and warnings', () => {
  beforeAll(async () => {
    await storeWinds(api);
    await storeSigmets(api, [
      sigmetOver([-5, -175, 5, -165], { qualifier: 'SEV', hazard: 'TURB' }),
      sigmetOver([-20, 178, -15, -170], { qualifier: 'EMBD', hazard: 'TS', baseFt: null, topFt: 20_000 }),
    ]);
  });

  test('More than sixty winds in a profile equal those of windAloft at the same places, levels and times', async () => {
    const svg = await drawn();
    const [winds, levels, times, latitudes, longitudes] = [
      'wind',
      'level',
      'time',
      'latitude',
      'longitude',
    ].map((name) => attributes(svg, name)) as [string[], string[], string[], string[], string[]];
    expect(winds.length).toBeGreaterThanOrEqual(60);
    expect(new Set(times).size).toBe(10);
    const { body } = await api.call('windAloft', {
      token: user.token,
      data: {
        waypoints: winds.map((_, i) => ({
          latitude: Number(latitudes[i]),
          longitude: Number(longitudes[i]),
          cruiseLevel: Number(levels[i]),
          eto: times[i],
        })),
      },
    });
    const aloft = body['windAloft'] as { winds: { cruise: { windDirection: number; windSpeed: number } } }[];
    expect(winds).toEqual(
      aloft.map(({ winds: { cruise } }) => `${cruise.windDirection}/${cruise.windSpeed}`),
    );
  });

  test('A crossed warning is hatched, one below is not, and both are named in the drawing and as text', async () => {
    const svg = await drawn();
    expect(attributes(svg, 'hazard').toSorted()).toEqual(['EMBD TS', 'SEV TURB']);
    expect(svg.match(/badtail" x=/g)).toHaveLength(1);
    expect(svg).toContain('1 crossed, 1 above or below');
    const [, words = ''] = /<desc[^>]*>([^<]*)/.exec(svg) ?? [];
    expect(words).toContain('SEV TURB from FL300 to FL400: crossed.');
    expect(words).toContain('EMBD TS from the surface to FL200: not crossed.');
    expect(words).toMatch(/Freezing level from \d+ to \d+ ft\. Strongest wind: \d+ kt\./);
  });

  test('The drawing is light, dark or as the viewer prefers, self-contained and well-formed', async () => {
    const [light, dark, auto] = await Promise.all(['light', 'dark', 'auto'].map((theme) => drawn({ theme })));
    expect(light).toContain('.page{fill:#ffffff}');
    expect(light).not.toContain('@media');
    expect(dark).toContain('.page{fill:#0d141b}');
    expect(auto).toContain('prefers-color-scheme: dark');
    for (const svg of [light, dark, auto]) {
      expect(XMLValidator.validate(svg ?? '')).toBe(true);
      expect(svg).not.toMatch(/<script|href=|NaN|undefined|Infinity/);
    }
    expect(refusal(await ask({ ...route, theme: 'blue' }))).toEqual([400, 'INVALID_FIELD']);
  });
});

describe('refused profiles', () => {
  test.each(refusedRoutes)('%s', async (_what, data, expected) => {
    expect(refusal(await ask(data))).toEqual(expected);
  });

  test('A plan without positions has no route', async () => {
    expect(refusal(await ask({ ofpId: await planWithoutRoute(api, user) }))).toEqual([422, 'NO_ROUTE']);
  });
});
