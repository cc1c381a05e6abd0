/**
 * Mistakes in the notation of values and bodies: units, separators, local formats, JSON as other languages
 * print it.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi } from '#test/api.ts';
import { importAirports } from '#test/support/airports.ts';
import { sender } from '#test/support/sender.ts';
import type { Headers, Send } from '#test/support/sender.ts';

let api: TestApi;
let send: Send;
beforeAll(async () => {
  api = await testApi();
  const key = await api.key();
  const { token } = await api.user({ key });
  send = sender(api, { key, token });
  await importAirports(api.context, ['KJFK']);
});
afterAll(() => api.close());

const landing = {
  requestType: 'LANDING',
  landingMode: 'inflight',
  aircraft: { file: '737-800-7B26' },
  airport: 'KJFK',
  runway: '04L',
  weight: { landingWeight: 60_000 },
};
const aloft = (over: object) => ({
  waypoints: [{ latitude: 40, longitude: -73, cruiseLevel: 350, ...over }],
});

describe('mistaken values', () => {
  const alone = (path: string, number: number) =>
    new RegExp(`^400 .*${path}: is a text; send the number alone, ${number}\\b`);
  test.each<[string, string, object, RegExp]>([
    [
      'A temperature with its unit',
      'performance',
      { ...landing, weather: { temperature: '30C' } },
      alone('weather.temperature', 30),
    ],
    [
      'A temperature with a degree sign',
      'performance',
      { ...landing, weather: { temperature: '-5 °C' } },
      alone('weather.temperature', -5),
    ],
    [
      'A QNH with its unit',
      'performance',
      { ...landing, weather: { qnh: '1013hPa' } },
      alone('weather.qnh', 1013),
    ],
    [
      'A QNH as in a METAR',
      'performance',
      { ...landing, weather: { qnh: 'Q1013' } },
      alone('weather.qnh', 1013),
    ],
    [
      'A weight in tonnes with its unit',
      'performance',
      { ...landing, weight: { landingWeight: '60t' } },
      alone('weight.landingWeight', 60_000),
    ],
    [
      'A wind speed with its unit',
      'performance',
      { ...landing, weather: { windDirection: 30, windSpeed: '12kt' } },
      alone('weather.windSpeed', 12),
    ],
    [
      'A flight level as it is spoken',
      'windAloft',
      aloft({ cruiseLevel: 'FL350' }),
      alone('waypoints.0.cruiseLevel', 350),
    ],
    [
      'Degrees with their hemisphere',
      'windAloft',
      aloft({ latitude: 'N40' }),
      alone('waypoints.0.latitude', 40),
    ],
    [
      'A wind as one text',
      'performance',
      { ...landing, weather: { wind: '030/12' } },
      /^400 .*weather.wind: is not known; did you mean weather.windDirection or weather.windSpeed\?/,
    ],
    [
      'A unit for the temperature, which has none',
      'performance',
      { ...landing, units: { temperature: 'F' } },
      /^200 .*units.temperature is not known and was ignored; known here: weight, wind/,
    ],
    [
      'A weight without its object',
      'performance',
      { ...landing, weight: 60_000 },
      /^400 .*weight: has the members landingWeight/,
    ],
    [
      'An airport as an object',
      'performance',
      { ...landing, airport: { icao: 'KJFK' } },
      /^400 .*airport: is an object; send the text alone/,
    ],
    [
      'A condition for each third',
      'performance',
      { ...landing, runwayCondition: { state: [5, 5, 5] } },
      /^400 .*runwayCondition.state: is a list; send one of its texts/,
    ],
    [
      'An aircraft by its name',
      'performance',
      { ...landing, aircraft: { file: 'Boeing 737-800' } },
      /^404 {?.*"nearest":\["737-800-7B24","737-800-7B26"/,
    ],
    [
      'An aircraft by its name in short',
      'performance',
      { ...landing, aircraft: { file: 'A320neo' } },
      /^404 .*"nearest":\["A320-251N","A320-214"/,
    ],
    [
      'A flight level in feet',
      'windAloft',
      aloft({ cruiseLevel: 35_000 }),
      /^400 .*cruiseLevel: must be a flight level of at most 999/,
    ],
    [
      'A time without its day',
      'windAloft',
      aloft({ eto: '14:30' }),
      /^400 .*eto: must be a time in UTC like 2026-09-16T12:00:00Z/,
    ],
    [
      'A time in local form',
      'windAloft',
      aloft({ eto: '22.11.2026 14:30' }),
      /^400 .*eto: must be a time in UTC/,
    ],
    [
      'Waypoints as pairs',
      'windAloft',
      { waypoints: [[40, -73]] },
      /^400 .*waypoints.0: is a list; send one object that has the members name, latitude, longitude/,
    ],
    ['A date for a cursor', 'ofpList', { before: '11/22/2026' }, /^400 .*before: must be the nextCursor/],
    ['Two airports in a text', 'weather', { icao: 'KJFK,EDDF' }, /^400 .*icao: send one ICAO code in a call/],
    ['Two airports with a space', 'airport', { icao: 'KJFK EDDF' }, /^400 .*send one ICAO code in a call/],
    [
      'A setting that does not exist',
      'saveUserSettings',
      { theme: 'dark' },
      /^200 .*"ignored":\["theme is not known and was ignored; known here: /,
    ],
    [
      'A filter that a list does not have',
      'performanceHistory',
      { from: '22.11.2026' },
      /^200 .*"ignored":\["from is not known and was ignored; known here: /,
    ],
  ])('%s: the answer says what to do', async (_, query, data, line) => {
    expect(await send({ query, data })).toMatch(line);
  });
});

describe('mistaken bodies', () => {
  const data = '{"query":"weather","data":{"icao":"KJFK"}}';
  test.each<[string, string | object, RegExp]>([
    ['The input as params', { query: 'weather', params: { icao: 'KJFK' } }, /^400 .*did you mean data\?/],
    ['The input as Data', { query: 'weather', Data: { icao: 'KJFK' } }, /^400 .*Data: .*did you mean data\?/],
    ['JSON made twice', JSON.stringify(data), /^400 .*it was made into JSON twice/],
    ['Two objects', `${data}${data}`, /^400 .*column 43: Unexpected non-whitespace character/],
    ['A number with 0 before it', '{"windDirection":030}', /^400 .*column 19: Unexpected number/],
    ['A decimal comma', '{"qnh":1013,25}', /^400 .*column 13: Expected double-quoted property name/],
    ['A number with a plus', '{"temperature":+5}', /^400 .*column 16: Unexpected token '\+'/],
    ['A comment of Python', '{"query":"weather" # x\n}', /^400 .*column 20: Expected ',' or '}'/],
  ])('%s is a 400 that says what is wrong', async (_, body, line) => {
    expect(await send(body)).toMatch(line);
  });

  test('A form without its boundary is explained', async () => {
    expect(await send('x', { 'content-type': 'multipart/form-data' })).toMatch(/^400 .*adds its boundary/);
  });
});

describe('mistaken headers and paths', () => {
  test.each<[string, Headers, string, RegExp]>([
    [
      'A token of an empty variable',
      { authorization: 'Bearer undefined' },
      '/api',
      /^401 .*an empty variable/,
    ],
    ['/openapi.json', {}, '/openapi.json', /^404 .*\/api\/openapi.json/],
    ['/swagger', {}, '/swagger', /^404 .*\/api\/openapi.json/],
    ['/v1/api-docs', {}, '/v1/api-docs', /^404 .*\/api\/openapi.json/],
    ['/swagger-ui.html', {}, '/swagger-ui.html', /^404 .*at \/docs/],
    ['/health', {}, '/health', /^404 .*\/healthz/],
    ['/graphql', {}, '/graphql', /^404 .*POST \/api with/],
  ])('%s: the answer says what to do', async (_, headers, path, line) => {
    expect(await send({ query: 'refreshUserData' }, headers, path)).toMatch(line);
  });
});
