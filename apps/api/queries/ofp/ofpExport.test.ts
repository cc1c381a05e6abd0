import { XMLParser } from 'fast-xml-parser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { refusal } from '#test/support/answers.ts';
import { longHaul, planDocument } from '#test/support/ofp.ts';

let api: TestApi;
let user: TestUser;
beforeAll(async () => {
  api = await testApi();
  user = await api.user();
});
afterAll(() => api.close());

type Tree = Record<string, unknown>;

const fix = (
  ident: string,
  type: string,
  [latitude, longitude]: readonly [number, number],
  more: Tree = {},
): Tree => ({
  ident,
  name: ident,
  type,
  via_airway: 'DCT',
  is_sid_star: '0',
  pos_lat: String(latitude),
  pos_long: String(longitude),
  altitude_feet: '23000',
  stage: 'CRZ',
  ...more,
});

/** From KBOS to KJFK by points of every kind. */
const fixes = [
  fix('HYLND', 'wpt', [42.6, -71.4], { via_airway: 'HYLND6', is_sid_star: '1', altitude_feet: '9000' }),
  fix('TOC', 'ltlg', [42.3, -71.9]),
  fix('BDL', 'vor', [41.940_833, -72.688_611]),
  fix('CMK', 'vor', [41.28, -73.581_389], { via_airway: 'V3' }),
  fix('41N074W', 'ltlg', [41, -74]),
  fix('TOD', 'ltlg', [41, -73.9]),
  fix('PARCH', 'wpt', [40.919, -72.589], { via_airway: 'PARCH4', is_sid_star: '1', altitude_feet: '8000' }),
  fix('KJFK', 'apt', [40.64, -73.78], { altitude_feet: '13' }),
];

const stored = async (change: (document: Record<string, Tree>) => void = () => {}): Promise<string> => {
  const document = planDocument({ requestId: crypto.randomUUID().slice(0, 8) });
  document['navlog'] = { fix: fixes };
  document['general'] = {
    ...document['general'],
    initial_altitude: '23000',
    sid_ident: 'HYLND6',
    star_ident: 'PARCH4',
  };
  change(document);
  const { body } = await api.call('ofpImport', { token: user.token, data: { source: 'json', document } });
  return String(body['ofpId']);
};
const write = async (ofpId: string, format: string) => {
  const { body } = await api.call('ofpExport', { token: user.token, data: { ofpId, format } });
  return body as { fileName: string; mimeType: string; content: string; revision: number };
};

test('PLN has the aerodromes, runways and procedures, and every point with type, airway and position', async () => {
  const { content, ...file } = await write(await stored(), 'PLN');
  expect(file).toMatchObject({ fileName: 'KBOSKJFK.pln', mimeType: 'application/xml', revision: 1 });
  const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '@', parseTagValue: false });
  const document = (parser.parse(content) as Record<string, Tree>)['SimBase.Document'] as Tree;
  expect([document['@Type'], document['@version']]).toEqual(['AceXML', '1,0']);
  const plan = document['FlightPlan.FlightPlan'] as Tree;
  expect(plan).toMatchObject({
    Title: 'KBOS to KJFK',
    FPType: 'IFR',
    RouteType: 'HighAlt',
    CruisingAlt: '23000',
    DepartureID: 'KBOS',
    DepartureLLA: `N42° 21' 36.00",W71° 0' 36.00",+000020.00`,
    DestinationID: 'KJFK',
    DeparturePosition: '04R',
    DepartureDetails: { RunwayNumberFP: '4', RunwayDesignatorFP: 'RIGHT', DepartureFP: 'HYLND6' },
    ArrivalDetails: { RunwayNumberFP: '4', RunwayDesignatorFP: 'LEFT', ArrivalFP: 'PARCH4' },
  });
  const points = (plan['ATCWaypoint'] as Tree[]).map((point) => [
    point['@id'],
    point['ATCWaypointType'],
    point['ATCAirway'] ?? null,
    point['WorldPosition'],
  ]);
  expect(points).toEqual([
    ['KBOS', 'Airport', null, `N42° 21' 36.00",W71° 0' 36.00",+000020.00`],
    ['HYLND', 'Intersection', null, `N42° 36' 0.00",W71° 24' 0.00",+009000.00`],
    ['BDL', 'VOR', null, `N41° 56' 27.00",W72° 41' 19.00",+023000.00`],
    ['CMK', 'VOR', 'V3', `N41° 16' 48.00",W73° 34' 53.00",+023000.00`],
    ['WP4', 'User', null, `N41° 0' 0.00",W74° 0' 0.00",+023000.00`],
    ['PARCH', 'Intersection', null, `N40° 55' 8.40",W72° 35' 20.40",+008000.00`],
    ['KJFK', 'Airport', null, `N40° 38' 24.00",W73° 46' 48.00",+000020.00`],
  ]);
});

test('FMS names runways and procedures, and lists the points in between with type, airway and altitude', async () => {
  const { content, ...file } = await write(
    await stored(({ general = {} }) => Object.assign(general, { sid_trans: 'BDL' })),
    'FMS',
  );
  expect(file).toMatchObject({ fileName: 'KBOSKJFK.fms', mimeType: 'text/plain' });
  expect(content.replace(/^CYCLE \d{4}$/m, 'CYCLE 2609').split('\n')).toEqual([
    'I',
    '1100 Version',
    'CYCLE 2609',
    'ADEP KBOS',
    'DEPRWY RW04R',
    'SID HYLND6',
    'SIDTRANS BDL',
    'ADES KJFK',
    'DESRWY RW04L',
    'STAR PARCH4',
    'NUMENR 5',
    '1 KBOS ADEP 20.000000 42.360000 -71.010000',
    '3 BDL DRCT 23000.000000 41.940833 -72.688611',
    '3 CMK V3 23000.000000 41.280000 -73.581389',
    '28 +41.000_-074.000 DRCT 23000.000000 41.000000 -74.000000',
    '1 KJFK ADES 20.000000 40.640000 -73.780000',
    '',
  ]);
});

test('Points of unnamed procedures are part of the route, and texts are escaped', async () => {
  const ofpId = await stored(({ general = {}, origin = {} }) => {
    Object.assign(general, { sid_ident: '', star_ident: '' });
    origin['name'] = 'LOGAN <&> "BOSTON"';
  });
  const { content } = await write(ofpId, 'FMS');
  expect(content).toContain('\n11 HYLND DRCT 9000.000000 42.600000 -71.400000\n');
  expect(content).not.toContain('SID');
  const pln = (await write(ofpId, 'PLN')).content;
  expect(pln).toMatch(/<DepartureName>LOGAN &lt;&amp;&gt; /);
});

test('Invalid codes in a document become neither a line nor a file name', async () => {
  const line = 'HYLND6\nADES EVIL';
  const ofpId = await stored(({ general = {} }) =>
    Object.assign(general, { sid_ident: line, sid_trans: line }),
  );
  const { content } = await write(ofpId, 'FMS');
  expect(content).not.toContain('EVIL');
  expect(content).not.toMatch(/^SID/m);
  const elsewhere = await stored(({ origin = {} }) => Object.assign(origin, { icao_code: '../../KBOS' }));
  const call = { token: user.token, data: { ofpId: elsewhere, format: 'PLN' } };
  expect(refusal(await api.call('ofpExport', call))).toEqual([422, 'NO_ROUTE']);
});

test('A long flight over the ocean has a line for every point in both formats', async () => {
  const data = { source: 'json', document: planDocument(longHaul) };
  const { body } = await api.call('ofpImport', { token: user.token, data });
  const ofpId = String(body['ofpId']);
  const { body: plan } = await api.call('ofpGet', { token: user.token, data: { ofpId, view: 'normalized' } });
  const planned = (plan['normalized'] as { fixes: { ident: string; isSidStar: boolean }[] }).fixes;
  const points = planned.filter(({ ident }) => !/^(?:TOC|TOD|ETP\d*|EGLL|KJFK)$/.test(ident));
  const lines = (await write(ofpId, 'FMS')).content
    .split('\n')
    .filter((line) => /^\d+ \S+ /.test(line) && !line.startsWith('1100'));
  // Points within procedures are not listed, only the procedure names.
  expect(lines).toHaveLength(points.filter(({ isSidStar }) => !isSidStar).length + 2);
  const waypoints = (await write(ofpId, 'PLN')).content.match(/<ATCWaypoint /g);
  expect(waypoints).toHaveLength(points.length + 2);
});

test('A plan without an aerodrome position has no route, and strangers find no plan', async () => {
  const ofpId = await stored(({ destination = {} }) =>
    Object.assign(destination, { pos_lat: '', pos_long: '' }),
  );
  const call = (data: object, token = user.token) => api.call('ofpExport', { token, data });
  expect(refusal(await call({ ofpId, format: 'PLN' }))).toEqual([422, 'NO_ROUTE']);
  expect(refusal(await call({ ofpId, format: 'GPX' }))).toEqual([400, 'INVALID_FIELD']);
  expect(refusal(await call({ ofpId: 'a/b', format: 'PLN' }))).toEqual([400, 'INVALID_OFP_ID']);
  const stranger = await api.user();
  expect(refusal(await call({ ofpId, format: 'PLN' }, stranger.token))).toEqual([404, 'OFP_NOT_FOUND']);
});
