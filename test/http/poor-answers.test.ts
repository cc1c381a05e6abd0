/** Mistakes by real clients, each with a message that explains the correct call. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { importAirports } from '#test/support/airports.ts';
import { planDocument } from '#test/support/ofp.ts';
import { runSql } from '#test/support/sql.ts';

let api: TestApi;
let user: TestUser;
beforeAll(async () => {
  api = await testApi();
  user = await api.user({ key: await api.key() });
  await api.grant(user, 'EFB_COMMERCIAL_Y');
  await importAirports(api.context, ['KJFK']);
  const sql = runSql(api.context.postgres);
  await sql`UPDATE airport SET iata = substr(icao, 2)`;
  await sql`INSERT INTO runway_intersection (icao, ident, name, source, entry_m, updated_at)
    VALUES ('KJFK', '04L', 'J', 'operator', 1000, now())`;
});
afterAll(() => api.close());

const ask = async (query: string, data: object, devKey?: string): Promise<string> => {
  const { status, body } = await api.call(query, { token: user.token, data, ...(devKey ? { devKey } : {}) });
  return `${status} ${JSON.stringify(body).replaceAll('\\"', "'")}`;
};
const key = (file: string) => ({ file, userRegistration: null, virtualAirline: null });
const landing = (more: object) => ({
  requestType: 'LANDING',
  landingMode: 'inflight',
  aircraft: key('737-800-7B26'),
  airport: 'KJFK',
  runway: '04L',
  weight: { landingWeight: 60_000 },
  ...more,
});
const takeoff = (more: object) => ({
  ...landing({}),
  requestType: 'TAKEOFF',
  weight: { takeoffWeight: 70_000 },
  ...more,
});
const weather = (more: object) => landing({ weather: { windDirection: 40, windSpeed: 12, ...more } });
const point = { latitude: 40, longitude: 8, cruiseLevel: 350 };

test.each([
  [
    'performance',
    'a weight in lb',
    takeoff({ weight: { takeoffWeight: 154_324 } }),
    /Is it in lb\? Then units/,
  ],
  ['performance', '°F', weather({ temperature: 59 }), /Is it in °F\? Then send 15\./],
  ['performance', 'kelvin', weather({ temperature: 288 }), /Is it in kelvin\? Then send 15\./],
  [
    'performance',
    'codes of a FICON',
    landing({ runwayCondition: { state: '5/5/3' } }),
    /did you mean MEDIUM\?/,
  ],
  ['performance', 'a neo by its name', landing({ aircraft: key('A320neo') }), /"nearest":\["A320-251N",/],
  ['performance', 'ft', landing({ units: { distance: 'ft' } }), /units\.distance: did you mean feet\?/],
  ['performance', 'm', landing({ units: { distance: 'm' } }), /units\.distance: did you mean meter\?/],
  ['performance', 'VRB', weather({ windDirection: 'VRB' }), /a variable wind has no direction; send null/],
  ['performance', 'M05', weather({ temperature: 'M05' }), /send the number alone, -5"/],
  [
    'performance',
    'both ends',
    landing({ runway: '04L/22R' }),
    /"nearest":\["04L","22R"\].*send one end, 04L or 22R/,
  ],
  ['performance', 'both ends of a takeoff', takeoff({ runway: '04L/22R' }), /send one end, 04L or 22R/],
  [
    'performance',
    'an intersection to land',
    landing({ runway: '04L/J' }),
    /an intersection is for a takeoff/,
  ],
  [
    'performance',
    'a length in quotes',
    takeoff({ intersection: '600' }),
    /is a number; send it without quotes/,
  ],
  [
    'performance',
    'an unknown intersection',
    takeoff({ runway: '04L/ZZ' }),
    /is not an intersection of this runway: J\./,
  ],
  [
    'performance',
    'flap 1 of an A320',
    takeoff({ aircraft: key('A320-214'), configuration: { flap: '1' } }),
    /options of the A320-214: .*did you mean 1\+F\?/,
  ],
  ['performance', 'en route', landing({ landingMode: 'enroute' }), /landingMode: did you mean inflight\?/],
  ['performance', 'LDG', landing({ requestType: 'LDG' }), /requestType: did you mean LANDING\?/],
  [
    'performance',
    'the weight of a takeoff to land',
    landing({ weight: { takeoffWeight: 60_000 } }),
    /^400 .*weight\.takeoffWeight: is not known; did you mean weight\.landingWeight\?/,
  ],
  [
    'performance',
    'the weight of a landing to take off',
    takeoff({ weight: { landingWeight: 60_000 } }),
    /^400 .*"message":"weight\.landingWeight is not known; did you mean weight\.takeoffWeight\?"/,
  ],
  ['performance', 'a gust below the wind', weather({ gust: 8 }), /^200 .*GUST_BELOW_WIND/],
  [
    'performance',
    'feet for metres',
    landing({ units: { distance: 'meter' }, notam: { shortenEnd: 5_000 } }),
    /No landing distance is available\. 16\d\d m more than available is closed\./,
  ],
  [
    'performance',
    'a time without zone',
    landing({ at: '2026-11-29T14:00:00' }),
    /add .* Z for UTC: 2026-11-29T14:00:00Z/,
  ],
  [
    'weather',
    'seconds',
    { icao: 'KJFK', at: 1_789_560_000 },
    /send a text; this time is 2026-09-16T12:00:00Z/,
  ],
  ['weather', 'a time without zone', { icao: 'KJFK', at: '2026-11-29T14:00' }, /2026-11-29T14:00Z/],
  ['weather', '30 February', { icao: 'KJFK', at: '2026-02-30T14:00:00Z' }, /no such day in this month/],
  ['weather', 'a placeholder', { icao: 'ZZZZ' }, /"nearest":\[\]/],
  [
    'weatherBatch',
    'a text for a list',
    { icao: 'KJFK,KBOS' },
    /"hint":"icao: send a list, also of one: \[…\]"/,
  ],
  ['weatherBatch', 'an IATA code', { icao: ['JFK'] }, /JFK is the IATA code of KJFK/],
  ['weatherRoute', 'no levels', { waypoints: [point, point] }, /"assumed":\["flight level 350 before/],
  [
    'windAloft',
    'feet',
    { waypoints: [{ ...point, cruiseLevel: 35_000 }] },
    /cruiseLevel: did you mean 350\?/,
  ],
  ['windAloft', 'FL350', { waypoints: [{ ...point, cruiseLevel: 'FL350' }] }, /send the number alone, 350/],
  ['windAloft', 'S33.9', { waypoints: [{ ...point, latitude: 'S33.9' }] }, /send the number alone, -33\.9/],
  [
    'windAloft',
    'exchanged coordinates',
    { waypoints: [{ ...point, latitude: -122.4, longitude: 37.6 }] },
    /latitude and longitude seem to be exchanged/,
  ],
  [
    'flightDataSave',
    'data for payload',
    { ofpId: 'X', dataKey: 'a', data: { a: 1 } },
    /did you mean payload\?/,
  ],
  [
    'changes',
    'a time',
    { since: '2026-11-28T00:00:00Z' },
    /"since is the cursor of an earlier answer, not a time\."/,
  ],
  [
    'ofpImport',
    'userid of SimBrief',
    { userid: 123_456 },
    /userid: is not known; did you mean plannerUserId\?/,
  ],
  ['ofpImport', 'username of SimBrief', { username: 'ada' }, /did you mean plannerUsername\?/],
  [
    'ofpImport',
    'an alias as number',
    { plannerUserId: 'ada' },
    /an alias at SimBrief is sent as plannerUsername/,
  ],
  ['saveUserSettings', 'small letters', { defaultUnit: 'metric' }, /defaultUnit: did you mean METRIC\?/],
  ['saveUserSettings', 'a member outside', { plannerUserId: 1 }, /did you mean planner\.plannerUserId\?/],
  [
    'saveUserSettings',
    'a path as a name',
    { 'planner.plannerUserId': 1 },
    /send plannerUserId inside planner/,
  ],
  [
    'fleetSave',
    'a negative weight',
    { registration: 'D-A', basedOnProfile: 'A320-214', profileData: { weight: { mslw: -1 } } },
    /weight\.mslw: must be more than 0/,
  ],
  [
    'fleetSave',
    'a type as parent',
    { registration: 'D-A', basedOnProfile: 'B738', profileData: { weight: { mslw: 60_000 } } },
    /basedOnProfile: did you mean 737-800-7B24\?/,
  ],
  [
    'libraryUploadBegin',
    'half a hash',
    { name: 'a.pdf', bytes: 1, sha256: 'abc' },
    /sha256 must match \/\^\[0-9a-f\]/,
  ],
  ['checklistGet', 'a type', { checklistId: 'A320' }, /did you mean a320-family\?/],
])('%s with %s: the answer says what to send', async (query, _, data, said) => {
  expect(await ask(query, data)).toMatch(said);
});

describe('names used by other interfaces', () => {
  test.each([
    ['getMetar', 'weather'],
    ['get_weather', 'weather'],
    ['importOfp', 'ofpImport'],
    ['getFlightPlan', 'ofpGet'],
    ['simbrief', 'ofpImport'],
    ['me', 'refreshUserData'],
    ['user', 'refreshUserData'],
    ['landingPerformance', 'performance'],
    ['settings', 'saveUserSettings'],
    ['shares', 'ofpShareList'],
  ])('%s leads to %s', async (query, meant) => {
    expect(await ask(query, {})).toContain(`"nearest":["${meant}"`);
  });

  test.each([
    ['health', '/healthz'],
    ['ping', '/healthz'],
    ['version', 'apiVersion'],
    ['qwxz', '/docs'],
  ])('%s is not a query, and the hint says where to find it', async (query, place) => {
    expect(await ask(query, {})).toMatch(
      new RegExp(`"hint":"[^"]*${place}[^"]*".*"nearest":\\[\\]|"nearest":\\[\\].*"hint":"[^"]*${place}`),
    );
  });

  test('A path of another weather service leads to the equivalent query', async () => {
    for (const path of ['/api/weather/KJFK', '/api/metar/KJFK'])
      expect(await (await api.fetch(path)).text()).toContain('GET /api/get/weather?icao=KJFK');
  });
});

test('The refusal of a key names the missing permission and those it has, and a token in the URL is reported as not read (M-5.2f)', async () => {
  const weak = await api.key({ userInfo: 'SIMPLE', library: false, efb: false, subscription: null });
  expect(await ask('librarySync', {}, weak)).toMatch(
    /"This query needs the permission library; the key 'test' has user info SIMPLE\."/,
  );
  expect(await ask('getSubscriptions', {}, weak)).toMatch(/the permission subscription READ; the key/);
  const answer = await api.fetch(`/api/get/weather?icao=KJFK&access_token=${user.token}`);
  expect(await answer.text()).toContain('access_token is read neither in the URL nor in the body');
});

test('An invitation link is accepted for its recipient and refused to its owner with the reason (M-7.s4)', async () => {
  const document = { source: 'json', document: planDocument() };
  const { ofpId } = (await api.call('ofpImport', { token: user.token, data: document })).body;
  const guest = await api.user();
  const shared = await api.call('ofpShare', {
    token: user.token,
    data: { ofpId, sharedWithEmail: guest.email, permission: 'view' },
  });
  const { id, shareUrl } = shared.body['share'] as { id: number; shareUrl: string };
  const accept = async (token: string) =>
    JSON.stringify((await api.call('ofpShareAccept', { token, data: { shareToken: shareUrl } })).body);
  expect(await accept(guest.token)).toContain('"status":"accepted"');
  expect(await accept(user.token)).toContain('You are the owner of this flight plan');
  await api.call('ofpShareRevoke', { token: user.token, data: { id } });
  expect(await accept(user.token)).toContain('which is revoked');
});

test('The message states the first problem with its field and the row of its code (M-2.1.4a, G-08)', async () => {
  const { body } = await api.call('performance', {
    token: user.token,
    data: landing({ runway: '', airport: 1 }),
  });
  expect(body['error']).toMatchObject({
    message: 'airport must be an ICAO code. (1 more in details)',
    param: 'airport',
    details: [expect.stringMatching(/^airport: /), expect.stringMatching(/^runway: /)],
    docUrl: `${api.context.config.BASE_URL}/docs/guide/errors#INVALID_INPUT`,
  });
  expect(await (await api.fetch('/docs/guide/errors')).text()).toContain('<td id="INVALID_INPUT">');
});
