/**
 * Mistakes in the names, headers and paths of calls, each with the part of the answer that explains what to
 * do.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { importAirports } from '#test/support/airports.ts';
import { sender } from '#test/support/sender.ts';
import type { Headers, Send } from '#test/support/sender.ts';

let api: TestApi;
let user: TestUser;
let send: Send;
beforeAll(async () => {
  api = await testApi();
  const key = await api.key();
  user = await api.user({ key });
  send = sender(api, { key, token: user.token });
  await importAirports(api.context, ['KJFK']);
});
afterAll(() => api.close());

const aircraft = { file: '737-800-7B26' };

describe('mistaken queries', () => {
  test.each<[string, object, RegExp]>([
    ['An empty object', {}, /^400 .*the body is \{"query":"weather"/],
    [
      'The query under another name',
      { method: 'weather', params: {} },
      /^400 .*method: is not known; did you mean query\?/,
    ],
    ['A query that is a number', { query: 5 }, /^400 .*query must be a text/],
    ['A query in capitals', { query: 'Weather' }, /^400 .*Did you mean weather\?/],
    ['A query in another spelling', { query: 'navdata_search' }, /^400 .*Did you mean navdataSearch\?/],
    [
      'A word of what a query does',
      { query: 'landing' },
      /^400 .*Did you mean briefing, performance, performanceAirport/,
    ],
    [
      'Data as JSON in a text',
      { query: 'airport', data: '{"icao":"KJFK"}' },
      /^400 .*data: is a text with JSON inside/,
    ],
    [
      'A list of airports',
      { query: 'airport', data: { icao: ['KJFK'] } },
      /^400 .*icao: is a list; send one of its texts/,
    ],
    [
      'A number for an airport',
      { query: 'weather', data: { icao: 7 } },
      /^400 .*"Invalid ICAO.".*icao: is a number; put it in quotes/,
    ],
    [
      'A name for an airport',
      { query: 'weather', data: { icao: 'New York' } },
      /^400 .*an ICAO code has four letters or digits/,
    ],
    [
      'The airport under another name',
      { query: 'airport', data: { airport: 'KJFK' } },
      /^400 .*airport: is not known; did you mean icao\?/,
    ],
    ['Input next to data', { query: 'weather', icao: 'KJFK' }, /^400 .*move it to data.icao/],
    [
      'An aircraft as its key',
      { query: 'aircraft', data: { aircraft } },
      /^400 .*aircraft: is an object; send the text alone/,
    ],
    [
      'An aircraft under another name',
      { query: 'aircraft', data: { ...aircraft, userRegistration: null, virtualAirline: null } },
      /^400 .*file: is not known; did you mean aircraft\?/,
    ],
    [
      'An aircraft in other letters',
      { query: 'aircraft', data: { aircraft: '737-800-7b26', userRegistration: null, virtualAirline: null } },
      /^200 /,
    ],
    [
      'An aircraft without registration and airline',
      { query: 'aircraft', data: { aircraft: '737-800-7b26' } },
      /^400 .*Missing required field: userRegistration/,
    ],
    [
      'Short names of coordinates',
      { query: 'windAloft', data: { waypoints: [{ lat: 40, lon: -73, cruiseLevel: 350 }] } },
      /^400 .*did you mean waypoints.0.latitude\?/,
    ],
    [
      'One waypoint without a list',
      { query: 'windAloft', data: { waypoints: { latitude: 40 } } },
      /^400 .*waypoints: send a list/,
    ],
    [
      'A password that is a number',
      { query: 'login', data: { email: 'a@b.co', password: 123_456 } },
      /^400 .*password: is a number; put it in quotes(?!.*123)/,
    ],
    [
      'Names in another spelling',
      { query: 'register', data: { email: 'a@b.co', password: '1234567', firstName: 'A', lastName: 'B' } },
      /^400 .*did you mean firstname\?/,
    ],
    [
      'An id of another kind',
      { query: 'performanceGet', data: { calculationId: '17' } },
      /^400 .*calculationId: must be a UUID/,
    ],
    [
      'An id under another name',
      { query: 'checklistGet', data: { id: 'x' } },
      /^400 .*id: is not known; did you mean checklistId\?/,
    ],
    [
      'A rating in quotes',
      { query: 'checklistRate', data: { checklistId: 'x', rating: '5' } },
      /^400 .*rating: is a text; send the number without quotes/,
    ],
    [
      'A date in another form',
      {
        query: 'flightDataSave',
        data: { ofpId: 'x', dataKey: 'k', payload: {}, lastDownloadedAt: '16.09.2026' },
      },
      /^400 .*must be a time like 2026-09-16T12:00:00Z/,
    ],
    [
      'A permission of other systems',
      { query: 'ofpShare', data: { ofpId: 'x', permission: 'read', email: 'a@b.co' } },
      /^400 .*permission must be view or edit/,
    ],
    [
      'A parent under another name',
      { query: 'fleetSave', data: { registration: 'D-ABCD', basedOn: 'B738', profileData: { title: 'x' } } },
      /^400 .*basedOn: is not known; did you mean basedOnProfile\?/,
    ],
    ['A log id in words', { query: 'reportQuery', data: { logId: 'x' } }, /^400 .*"message":"logId must be/],
    [
      'A unit system in small letters',
      { query: 'saveUserSettings', data: { defaultUnit: 'metric' } },
      /^400 .*must be one of METRIC/,
    ],
  ])('%s: the answer says what to do', async (_, body, line) => {
    expect(await send(body)).toMatch(line);
  });

  test('A checklist document keeps its own name, and gets the name in the request if it has none', async () => {
    const pages = { checklists: [{ title: 'Start', order: 1, items: [] }] };
    for (const [checklist, name] of [
      [pages, 'Mine'],
      [{ ...pages, name: 'Inner' }, 'Inner'],
    ] as const) {
      const saved = await api.call('checklistSave', { token: user.token, data: { name: 'Mine', checklist } });
      const { checklistId } = saved.body['data'] as { checklistId: string };
      const { body } = await api.call('checklistGet', { token: user.token, data: { checklistId } });
      expect(body['data']).toMatchObject({ name: 'Mine', checklist: { name } });
    }
  });
});

describe('mistaken headers and paths', () => {
  const me = { query: 'refreshUserData' };
  const signIn = { query: 'login', data: { email: 'a@b.co', password: 'xxxxxx' } };
  const none = { authorization: null, 'x-dev-key': null };
  test.each<[string, string | object, Headers, RegExp]>([
    ['No token', me, { authorization: null }, /^401 .*Bearer <token>", with the token that login answers/],
    [
      'A token in another header',
      me,
      { authorization: null, 'x-access-token': '%token' },
      /^401 .*x-access-token is not read/,
    ],
    [
      'A token in the body',
      { ...me, token: 'abc' },
      { authorization: null },
      /^401 .*token is read neither in the URL nor in the body/,
    ],
    [
      'A token after another word',
      me,
      { authorization: 'Token %token' },
      /^401 .*the form is "Authorization: Bearer <token>"/,
    ],
    [
      'A token in quotes',
      me,
      { authorization: 'Bearer "%token"' },
      /^401 .*the token once and without quotes/,
    ],
    ['A token after two words', me, { authorization: 'Bearer Bearer %token' }, /^401 .*the token once/],
    ['A token for a key', signIn, { 'x-dev-key': '%token' }, /^401 .*this is the token of a user/],
    ['Something else for a key', signIn, { 'x-dev-key': 'abc' }, /^401 .*a developer key begins with dk_/],
    [
      'A key in another header',
      signIn,
      { ...none, 'x-developer-key': '%key' },
      /^401 .*X-Developer-Key is not read/,
    ],
    [
      'A key inside data',
      { ...signIn, data: { ...signIn.data, devKey: 'dk_1' } },
      none,
      /^401 .*devKey is not read inside data/,
    ],
    ['No body', '', {}, /^400 .*the body is empty/],
    ['A list', [], {}, /^400 .*must be a JSON object/],
    ['Another content type', me, { 'content-type': 'text/plain' }, /^415 .*the Content-Type is text\/plain/],
    [
      'A form',
      'query=weather',
      { 'content-type': 'application/x-www-form-urlencoded' },
      /^415 .*x-www-form-urlencoded/,
    ],
  ])('%s: the answer says what to do', async (_, body, headers, line) => {
    expect(await send(body, headers)).toMatch(line);
  });

  test('GET /api explains that a query is a POST, and POST / says where the queries are', async () => {
    expect(await send('', {}, '/api?query=weather&icao=KJFK', 'GET')).toMatch(
      /^405 .*a query is a POST with a JSON body/,
    );
    expect(await send(me, {}, '/')).toMatch(/^405 .*queries are POST \/api/);
  });
});
