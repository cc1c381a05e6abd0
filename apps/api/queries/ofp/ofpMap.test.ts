import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JobConsumer } from '#domain/jobs/port.ts';
import { mapOf, mapSize } from '#domain/prints/map.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { at, refusal } from '#test/support/answers.ts';
import { longHaul, planDocument } from '#test/support/ofp.ts';
import { landRings } from '../../services/land.ts';
import draw from '#workers/jobs/print-draw.ts';

let api: TestApi;
let user: TestUser;
let worker: JobConsumer;
beforeAll(async () => {
  api = await testApi();
  user = await api.user();
  worker = await api.context.queues.createConsumer();
  await worker.consume('durable', [draw.bind(api.context)], 1);
});
afterAll(async () => {
  await worker.stop(1_000);
  await api.close();
});

const call = (query: string, data: Record<string, unknown>) => api.call(query, { token: user.token, data });
const planOf = async (fields: object): Promise<string> =>
  String((await call('ofpImport', { source: 'json', document: planDocument(fields) })).body['ofpId']);

test('A plan has a map of its points and the surrounding land, as SVG and as PNG in both themes', async () => {
  const ofpId = await planOf(longHaul);
  const { status, body } = await call('ofpMap', { ofpId, theme: 'light', png: true });
  expect([status, body]).toEqual([
    200,
    expect.objectContaining({ ofpId, revision: 1, width: 800, distanceNm: expect.any(Number) }),
  ]);
  const svg = String(body['svg']);
  expect(svg).not.toMatch(/<script|href/);
  for (const text of ['EGLL', 'KJFK', 'NM, ']) expect(svg).toContain(text);
  expect(Number(body['distanceNm'])).toBeGreaterThan(2_900);
  expect(svg.length).toBeLessThan(150_000);
  const files = body['files'] as { png: string; pngDark: string };
  for (const url of [files.png, files.pngDark]) {
    const response = await api.fetch(new URL(url).pathname);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
    const bytes = Buffer.from(await response.arrayBuffer());
    const path = process.env['KEEP_PRINTS'];
    if (path !== undefined) await writeFile(`${path}-${url.split('/').at(-1)}`, bytes);
  }
  expect(at(await call('ofpMap', { ofpId }), 'files')).toBeNull();
});

test.each([
  ['over the date line', [35.5, 139.8], [21.3, -157.9]],
  ['over the pole', [60.3, 24.96], [61.2, -149.9]],
  ['with Africa on the other side of the world', [-17.55, -149.6], [-27.16, -109.4]],
  ['of a few miles', [51.47, -0.46], [51.15, -0.19]],
  ['to where it began', [51.47, -0.46], [51.47, -0.46]],
] as const)('A map %s has its points in view, and land where there is land', async (name, from, to) => {
  const points = [from, to].map(([latitude, longitude], i) => ({ ident: `P${i}`, latitude, longitude }));
  const map = mapOf(points, await landRings());
  for (const { x, y } of map.points)
    expect([x > 0 && x < mapSize.width, y > 0 && y < mapSize.height]).toEqual([true, true]);
  // By the even-odd rule of the drawing: a point is on land if an odd number of rings surrounds it.
  const isLand = (x: number, y: number): boolean =>
    map.land.filter((ring) => {
      let inside = false;
      for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
        const [ax = 0, ay = 0, bx = 0, by = 0] = [ring[i], ring[i + 1], ring[j], ring[j + 1]];
        if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
      }
      return inside;
    }).length %
      2 ===
    1;
  const middle = [
    map.route[Math.floor(map.route.length / 4) * 2],
    map.route[Math.floor(map.route.length / 4) * 2 + 1],
  ];
  const isOverSea = name.includes('date line') || name.includes('pole') || name.includes('Africa');
  expect([name, isLand(middle[0] ?? 0, middle[1] ?? 0)]).toEqual([name, !isOverSea]);
});

test('Without a plan or positions there is no map', async () => {
  expect(refusal(await call('ofpMap', { ofpId: 'OFP-abcdefghijklmnopqrst' }))).toEqual([
    404,
    'OFP_NOT_FOUND',
  ]);
  expect(refusal(await call('ofpMap', { ofpId: 'no id!' }))).toEqual([400, 'INVALID_OFP_ID']);
  expect(refusal(await call('ofpMap', { ofpId: 'x', theme: 'blue' }))).toEqual([400, 'INVALID_FIELD']);
  const document = planDocument();
  Object.assign(document['destination'] ?? {}, { pos_lat: '', pos_long: '' });
  const { ofpId } = (await call('ofpImport', { source: 'json', document })).body;
  expect(refusal(await call('ofpMap', { ofpId }))).toEqual([422, 'NO_ROUTE']);
  expect(refusal(await api.call('ofpMap', { data: { ofpId: 'x' } }))).toEqual([401, 'AUTH_REQUIRED']);
});
