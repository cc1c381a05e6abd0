/** The briefing as PDF and the route profile as a picture, drawn by a worker in this process. */
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '#store/postgres/sql.ts';
import { printDraw } from '#domain/jobs/contracts.ts';
import type { JobConsumer } from '#domain/jobs/port.ts';
import { parseNotamTexts } from '#domain/notam/parse.ts';
import { notamWrites } from '#store/postgres/notam/notam.ts';
import { printWrites } from '#store/postgres/prints/prints.ts';
import { pirepWrites } from '#store/postgres/weather/sigmets.ts';
import type { Pirep } from '#domain/weather/pirep.ts';
import { maxPrints } from '#domain/prints/files.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { importAirports } from '#test/support/airports.ts';
import { longHaul, planDocument } from '#test/support/ofp.ts';
import { shareWith } from '#test/support/plans.ts';
import { runSql } from '#test/support/sql.ts';
import { pdfTexts } from '#test/support/pdf-text.ts';
import { planWithoutRoute, sigmetOver, storeReports, storeSigmets, storeWinds } from '#test/support/route.ts';
import draw from '#workers/jobs/print-draw.ts';

let api: TestApi;
let user: TestUser;
let devKey: string;
let ofpId: string;
let worker: JobConsumer;

const notamCount = 400;
const notams = Array.from({ length: notamCount }, (_, i) => {
  const words =
    i % 40 === 0 ? 'RWY 04L THR DISPLACED 200M' : `TWY ${i} CLSD DUE WIP. ${'CTN ADVISED. '.repeat(i % 9)}`;
  return `A${String(i + 1).padStart(4, '0')}/26 NOTAMN\nQ) ZNY/QMXLC/IV/NBO/A/000/999/4038N07347W005\nA) KJFK B) 2609010000 C) 2610010000\nE) ${words}`;
}).join('\n\n');
const ficon =
  '\n\n!JFK 09/201 JFK RWY 04L FICON 5/3/3 100 PCT WET, 50 PCT 1/4IN WET SN, 50 PCT 1/2IN WET SN OBS AT 2609161130. 2609161130-2609171200\n';

const pirep: Pirep = {
  kind: 'PIREP',
  isUrgent: false,
  observedAt: '2026-09-16T11:40:00.000Z',
  latitude: 51.47,
  longitude: -0.45,
  altitude: 36_000,
  aircraft: 'B772',
  turbulence: [{ intensity: 'MOD', type: 'CAT', base: 35_000, top: 37_000 }],
  icing: [],
  temperature: -54,
  windDirection: 270,
  windSpeed: 60,
  text: 'LON UA /OV LON/TM 1140/FL360/TP B772/TB MOD CAT 350-370',
};

beforeAll(async () => {
  api = await testApi();
  user = await api.user();
  devKey = await api.key({ weather: true });
  await api.grant(user, 'EFB_PRO_M');
  await importAirports(api.context, ['KJFK', 'KBOS', 'KBDL']);
  await storeReports(api, ['KJFK', 'KBOS', 'KBDL']);
  await storeWinds(api);
  await storeSigmets(api, [
    sigmetOver([45, -50, 55, -40], { series: 'A1' }),
    sigmetOver([41, -73, 42, -71.5], { series: 'B2', baseFt: 40_000, topFt: 45_000 }),
  ]);
  const now = api.context.clock.now();
  await api.context.postgres.transaction((tx) => pirepWrites(tx).store([pirep]));
  const { records } = parseNotamTexts(notams + ficon, now);
  await api.context.postgres.transaction((tx) =>
    notamWrites(tx).store(records, { source: 'fixture', now, isComplete: true }),
  );
  const { body } = await api.call('ofpImport', {
    token: user.token,
    data: { source: 'json', document: planDocument(longHaul) },
  });
  ofpId = String(body['ofpId']);
  worker = await api.context.queues.createConsumer();
  await worker.consume('durable', [draw.bind(api.context)], 1);
});
afterAll(async () => {
  await worker.stop(1_000);
  await api.close();
});

const brief = async (data: object = {}) => {
  const { status, body } = await api.call('briefing', {
    token: user.token,
    devKey,
    data: { ofpId, files: true, ...data },
  });
  expect(status).toBe(200);
  return body['files'] as {
    pdf: string;
    profilePng: string | null;
    profilePngDark: string | null;
    expiresAt: string;
  };
};

const get = async (url: string, headers: Record<string, string> = {}) => {
  const response = await api.fetch(new URL(url).pathname, { headers });
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  };
};
/** Lines end where they are wrapped. */
const wordsOf = (texts: readonly string[]): string => texts.join(' ').replaceAll(/\s+/g, ' ');

/** KEEP_PRINTS is a path where the prints are kept for inspection. */
const keep = async (bytes: Buffer): Promise<void> => {
  const path = process.env['KEEP_PRINTS'];
  if (path !== undefined) await writeFile(path, bytes);
};
/** As a client does: asks again while the file is not there yet. */
const drawn = async (url: string): ReturnType<typeof get> => {
  const answer = await get(url);
  return answer.status === 503 ? drawn(url) : answer;
};

describe('briefing.pdf', () => {
  test('A plan with 400 NOTAM is printed on two pages of selectable text that say what is left out', async () => {
    const { pdf } = await brief();
    const { status, headers, bytes } = await drawn(pdf);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/pdf']);
    await keep(bytes);
    const [first = [], second = [], ...others] = pdfTexts(bytes);
    expect(others).toEqual([]);
    const page1 = wordsOf(first);
    for (const text of [
      'Departure EGLL 27R',
      'Destination KJFK 04L',
      'KJFK 161120Z 1612/1718 03010KT P6SM BKN030',
      '04L 5/3/3 100 % wet | 50 % 6 mm wet snow | 50 % 13 mm wet snow',
      'NOTAM at the times of use, with effect first (401)',
      'planned runway',
      '1 of 2',
    ])
      expect(page1).toContain(text);
    const page2 = wordsOf(second);
    expect(page2).toMatch(/Hazards on the way \(\d\)/);
    expect(page2).toContain('SEV TURB FL300 to FL400 EGGX A1: crossed');
    expect(page2).toContain('Reports of pilots near the route (1) FL360 B772 TURB MOD CAT FL350-FL370');
    expect(page2).toContain('Winds by leg');
    const left = Number(/(\d+) NOTAM are left out here/.exec(page2)?.[1]);
    expect(left).toBeGreaterThan(300);
    const shown = [page1, page2].join(' ').match(/KJFK [A-Z]?\d+\/\d+ · /g) ?? [];
    expect(shown.length + left).toBe(notamCount + 1);
    expect(bytes.length).toBeLessThan(500_000);
  });

  test('Units follow the caller’s settings', async () => {
    const pages = async () => wordsOf(pdfTexts((await drawn((await brief()).pdf)).bytes).flat());
    expect(await pages()).toMatch(/LDA \d+ m\b/);
    await api.call('saveUserSettings', {
      token: user.token,
      data: { defaultUnit: 'IMPERIAL' },
    });
    const imperial = await pages();
    expect(imperial).toMatch(/LDA [\d ]+ ft/);
    expect(imperial).toMatch(/QNH \d\d\.\d\d inHg/);
    expect(imperial).toContain('50 % 0.25 in wet snow');
    await api.call('saveUserSettings', {
      token: user.token,
      data: { defaultUnit: 'METRIC' },
    });
  });

  test('A plan without a route and a briefing without performance can be printed, too', async () => {
    const files = await brief({ ofpId: await planWithoutRoute(api, user), performance: false });
    expect(files).toMatchObject({ profilePng: null, profilePngDark: null });
    const pages = pdfTexts((await drawn(files.pdf)).bytes);
    expect(pages).toHaveLength(2);
    expect(wordsOf(pages.flat())).toContain('the briefing was made without performance');
    expect((await get(files.pdf.replace('briefing.pdf', 'profile.png'))).status).toBe(404);
  });
});

describe('print files', () => {
  test('Print files are drawn at their first request, redrawn with the same bytes when lost, and deleted with their print', async () => {
    const { pdf, profilePng, profilePngDark } = await brief();
    const [light, dark] = [await drawn(profilePng ?? ''), await drawn(profilePngDark ?? '')];
    for (const { bytes } of [light, dark]) expect(bytes.subarray(0, 4).toString('hex')).toBe('89504e47');
    expect(light.bytes.equals(dark.bytes)).toBe(false);
    const document = await drawn(pdf);
    const etag = document.headers.get('etag') ?? '';
    expect((await get(pdf, { 'if-none-match': etag })).status).toBe(304);
    const id = new URL(pdf).pathname.split('/')[2] ?? '';
    const jobs = () =>
      api.context.postgres.db.any(sql`
        SELECT id FROM pgboss.job WHERE name = ${printDraw.name} AND data ->> 'printId' = ${id}
          AND data ->> 'file' = 'briefing.pdf'`);
    expect(await jobs()).toHaveLength(1);
    await rm(join(api.context.config.DATA_DIR, 'files/prints', id), { recursive: true });
    const again = await drawn(pdf);
    expect(again.bytes.equals(document.bytes)).toBe(true);
    expect(await jobs()).toHaveLength(2);
    api.context.clock.advance(1);
    const empty = { document: null, profile: null };
    await api.context.postgres.transaction(async (tx) => {
      for (let made = 1; made < maxPrints; made += 1)
        await printWrites(tx).add(
          { id: randomUUID(), userId: user.id, content: empty },
          api.context.clock.now(),
        );
    });
    await brief({ performance: false });
    expect((await get(pdf)).status).toBe(404);
    const lost = await api.context.postgres.db.any<{ key: string }>(sql`
      SELECT key FROM file_write WHERE key LIKE ${`prints/${id}/%`} ORDER BY key`);
    expect(lost.map(({ key }) => key.split('/')[2])).toEqual([
      'briefing.pdf',
      'profile-dark.png',
      'profile.png',
    ]);
  });

  test('The query weatherRouteProfile has the same picture as PNG, light and dark', async () => {
    const { body } = await api.call('weatherRouteProfile', {
      token: user.token,
      devKey,
      data: { ofpId, png: true },
    });
    const { png, pngDark } = body['files'] as { png: string; pngDark: string };
    for (const url of [png, pngDark]) {
      const { status, headers, bytes } = await drawn(url);
      expect([status, headers.get('content-type')]).toEqual([200, 'image/png']);
      // 1.5 times the 800 px of the drawing.
      expect(bytes.readUInt32BE(16)).toBe(1_200);
    }
    const plain = await api.call('weatherRouteProfile', { token: user.token, devKey, data: { ofpId } });
    expect(plain.body['files']).toBeNull();
  });

  test('Revoking a share deletes the prints that its recipient has made of the plan (M-3.8)', async () => {
    const reader = await api.user();
    await api.grant(reader, 'EFB_PRO_M');
    await shareWith(api, ofpId, [user, reader], 'view');
    const { body } = await api.call('ofpMap', { token: reader.token, data: { ofpId, png: true } });
    const { png } = body['files'] as { png: string };
    expect((await drawn(png)).status).toBe(200);
    await runSql(api.context.postgres)`
      UPDATE ofp_share SET status = 'revoked', revoked_at = now() WHERE recipient_id = ${reader.id}`;
    expect((await get(png)).status).toBe(404);
  });

  test('An invalid id or file name is not found', async () => {
    const { pdf } = await brief({ performance: false });
    for (const path of [
      '/prints/59173612-0d5c-4a3e-9d0b-3f6f1f0e9c11/briefing.pdf',
      '/prints/x/briefing.pdf',
      new URL(pdf).pathname.replace('briefing', 'other'),
    ])
      expect((await api.fetch(path)).status).toBe(404);
  });
});
