import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { importAirports } from '#test/support/airports.ts';

let api: TestApi;
let user: TestUser;
beforeAll(async () => {
  api = await testApi();
  user = await api.user();
  await importAirports(api.context, ['KJFK', 'KBOS']);
});
afterAll(() => api.close());

const airport = (data: unknown) => api.call('airport', { token: user.token, data });

interface Runway {
  ident: string;
  reciprocal: string;
  trueBearing: number;
  length: number;
  lda: { value: number; source: string };
  displacedThreshold: number;
}

describe('airport, successful calls', () => {
  test('Runways have both ends, and declared distances with their sources', async () => {
    const { status, body } = await airport({ icao: 'kjfk' });
    expect(status).toBe(200);
    const found = body['airport'] as { icao: string; longestRunway: number; runways: Runway[] };
    expect(found).toMatchObject({ icao: 'KJFK' });
    expect(found.runways.map((runway) => runway.ident)).toEqual([
      '04L',
      '04R',
      '13L',
      '13R',
      '22L',
      '22R',
      '31L',
      '31R',
    ]);
    expect(found.longestRunway).toBe(Math.max(...found.runways.map((runway) => runway.length)));
    for (const runway of found.runways) {
      const other = found.runways.find((candidate) => candidate.ident === runway.reciprocal);
      expect(Math.abs(Math.abs(runway.trueBearing - (other?.trueBearing ?? 0)) - 180)).toBeLessThan(1);
      expect(runway.lda.value).toBeGreaterThan(2000);
      expect(runway.lda.value).toBeLessThanOrEqual(runway.length + 0.1);
      expect(['faa_nasr', 'derived', 'operator']).toContain(runway.lda.source);
    }
  });
});

describe('airport, refused calls', () => {
  test('Errors are 400 MISSING_FIELD and INVALID_FIELD, 404 AIRPORT_NOT_FOUND and 401 AUTH_REQUIRED', async () => {
    expect(await airport({})).toMatchObject({
      status: 400,
      body: { error: { code: 'MISSING_FIELD', message: 'Missing required field: icao.' } },
    });
    for (const icao of ['JFK', 7, {}]) {
      expect(await airport({ icao })).toMatchObject({
        status: 400,
        body: { error: { code: 'INVALID_FIELD' } },
      });
    }
    expect(await airport({ icao: 'QQQQ' })).toMatchObject({
      status: 404,
      body: { error: { code: 'AIRPORT_NOT_FOUND', status: 404 }, nearest: [] },
    });
    expect((await api.call('airport', { data: { icao: 'KJFK' } })).status).toBe(401);
  });
});
