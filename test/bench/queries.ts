/**
 * A pilot's stored data over HTTP: requests per second and p99 of ten queries, compared with bare Koa and pg
 * in the same run, and saves of flight data of 100 kB and 4 MB.
 */
import { isDeepStrictEqual } from 'node:util';
import { announcementWrites } from '#store/postgres/announcements/announcements.ts';
import { planDocument } from '#test/support/ofp.ts';
import { documentOf } from '#test/support/checklists.ts';
import { costOf } from './support/cost.ts';
import type { Cost } from './support/cost.ts';
import { benchUsers } from './support/accounts.ts';
import { called, requestHeaders } from './support/called.ts';
import type { Fields } from './support/called.ts';
import { benchPostgres } from './support/latency.ts';
import { storeReports } from './support/reports.ts';
import { load } from './support/load.ts';
import { createStand, median } from './support/servers.ts';
import { wholeAnswer } from './support/whole-answer.ts';
import type { WholeAnswer } from './support/whole-answer.ts';

const users = 40;
const rounds = 3;
const settings = { seconds: 2, connections: 20 };
const goals = { ratio: 0.4, savesPerSecond: 300, largeMedianMs: 150, batchCpuMs: 5 };
/** Stations of `weatherBatch`. */
const stations = Array.from(
  { length: 40 },
  (_, i) => `XX${String.fromCharCode(65 + Math.floor(i / 26), 65 + (i % 26))}`,
);
/** A larger answer is compared with a row of its size. */
const largeBytes = 50_000;
const maxPayloadBytes = 4_194_304;
/** Accounts that each save one payload of that size. */
const largeSaves = 25;

/** A JSON payload of this size with many small fields, as apps send them. */
const payloadOf = (bytes: number): Fields => {
  const entry = (i: number) => ({
    id: i,
    // Few distinct fields and a longer text, since the number of values in a body is limited.
    waypoint: `WPT${i % 1_000}`,
    fuelKg: 8_400 - (i % 8_000),
    isFlown: i % 2 === 0,
    remark: 'as filed by dispatch',
  });
  const size = JSON.stringify(entry(99_999)).length + 1;
  return { entries: Array.from({ length: Math.floor((bytes - 100) / size) }, (_, i) => entry(i)) };
};

/** A pilot with the rows that the queries read. */
interface Pilot {
  token: string;
  ofpId: string;
  checklistId: string;
}

const reads: readonly (readonly [string, (pilot: Pilot) => Fields])[] = [
  ['refreshUserData', () => ({})],
  ['userStatistics', () => ({ timeZone: 'Europe/Berlin' })],
  ['checklistList', () => ({})],
  ['checklistGet', ({ checklistId }) => ({ checklistId })],
  ['ofpList', () => ({})],
  ['ofpGet', ({ ofpId }) => ({ ofpId, view: 'summary' })],
  ['flightDataGet', ({ ofpId }) => ({ ofpId, dataKey: 'fuel' })],
  ['flightDataHistory', ({ ofpId }) => ({ ofpId, dataKey: 'fuel' })],
  ['ofpShareList', () => ({ scope: 'issued' })],
  ['announcementsLatest', () => ({})],
];

const requestOf = (token: string, query: string, data: Fields) => ({
  body: JSON.stringify({ query, data }),
  headers: requestHeaders(token),
});

const pilotOf = async (url: string, token: string): Promise<Pilot> => {
  const { ofpId } = await called(url, token, 'ofpImport', { source: 'json', document: planDocument() });
  for (let version = 1; version <= 3; version += 1)
    await called(url, token, 'flightDataSave', { ofpId, dataKey: 'fuel', payload: payloadOf(2_000) });
  await called(url, token, 'ofpShare', { ofpId });
  const saved = await called(url, token, 'checklistSave', { name: 'Mine', checklist: documentOf() });
  const { checklistId } = saved['data'] as { checklistId: string };
  return { token, ofpId: String(ofpId), checklistId };
};

const verdict = (isMet: boolean): string => (isMet ? 'pass' : 'FAIL');

export const run = async (): Promise<void> => {
  const stand = await createStand();
  try {
    const postgres = benchPostgres(stand);
    const tokens = await benchUsers(stand, postgres, users + largeSaves);
    const now = new Date();
    await postgres.transaction((tx) =>
      announcementWrites(tx).insert(
        {
          title: 'News',
          summary: null,
          body: 'A new release.',
          bodyFormat: 'plain',
          contentLabel: null,
          contentUrl: null,
          coverImageUrl: null,
          galleryImages: [],
          actionLinks: [],
          publishedAt: now,
          expiresAt: null,
        },
        now,
      ),
    );
    await storeReports(postgres, stations, now);
    await postgres.close();
    const bare = await stand.start('test/bench/support/bare.ts');
    const api = await stand.start('apps/api/main.ts');
    const pilots: Pilot[] = [];
    for (const token of tokens) pilots.push(await pilotOf(api.url, token));
    // Rows saved by the other pilots meanwhile would fill their quota.
    const fresh = pilots.splice(users);

    for (const [query, dataOf] of reads) {
      const bodies = pilots.map((pilot) => requestOf(pilot.token, query, dataOf(pilot)));
      const { bytes } = await load({ url: api.url, bodies, ...settings });
      const path = bytes > largeBytes ? `/?bytes=${Math.round(bytes)}` : '/';
      await load({ url: bare.url, path, bodies, ...settings });
      const runs: { ratio: number; cpu: number; ours: Cost; against: Cost }[] = [];
      for (let round = 0; round < rounds; round += 1) {
        // The same requests, so that the load generator uses the same share of the machine.
        const against = await costOf(bare, () => load({ url: bare.url, path, bodies, ...settings }));
        const ours = await costOf(api, () => load({ url: api.url, bodies, ...settings }));
        runs.push({
          ratio: ours.perSecond / against.perSecond,
          cpu: ours.cpuMs / against.cpuMs,
          ours,
          against,
        });
      }
      const middle = runs.toSorted((a, b) => a.ratio - b.ratio)[Math.floor(rounds / 2)];
      if (!middle) throw new Error('no rounds');
      const { ratio, cpu, ours, against } = middle;
      console.log(
        `  ${verdict(ratio >= goals.ratio && ours.failures === 0)}  ${query.padEnd(20)} ${ratio.toFixed(2)} of bare Koa and pg ` +
          `(goal ${goals.ratio}), ${cpu.toFixed(2)} times its CPU; ${Math.round(ours.perSecond)}/s of ${Math.round(ours.bytes)} bytes, ` +
          `p99 ${ours.p99Ms} ms (bare ${against.p99Ms} ms), ${ours.statements.toFixed(2)} statements, ${ours.failures} failures`,
      );
    }

    for (const include of [[], ['forecast', 'runwaysInUse', 'densityAltitude']]) {
      const data = { icao: stations, include };
      const bodies = pilots.map(({ token }) => requestOf(token, 'weatherBatch', data));
      await load({ url: api.url, bodies, ...settings });
      const cost = await costOf(api, () => load({ url: api.url, bodies, ...settings }));
      console.log(
        `  ${verdict(cost.cpuMs < goals.batchCpuMs && cost.failures === 0)}  weatherBatch of ${stations.length}` +
          `${include.length === 0 ? '' : ` with ${include.join(', ')}`}: ${cost.cpuMs.toFixed(2)} ms CPU (goal ${goals.batchCpuMs}), ` +
          `${Math.round(cost.perSecond)}/s of ${Math.round(cost.bytes)} bytes, p99 ${cost.p99Ms} ms, ` +
          `${cost.statements.toFixed(2)} statements, ${cost.failures} failures`,
      );
    }

    const payload = payloadOf(100_000);
    const saves = pilots.map(({ token, ofpId }) =>
      requestOf(token, 'flightDataSave', { ofpId, dataKey: 'large', payload }),
    );
    const runs: Cost[] = [];
    for (let round = 0; round < rounds; round += 1)
      runs.push(await costOf(api, () => load({ url: api.url, bodies: saves, ...settings })));
    const perSecond = median(runs.map((each) => each.perSecond));
    console.log(
      `  ${verdict(perSecond >= goals.savesPerSecond)}  flightDataSave, 100 kB ${Math.round(perSecond)}/s (goal ${goals.savesPerSecond}), ` +
        `${median(runs.map((each) => each.cpuMs)).toFixed(2)} ms CPU, p99 ${median(runs.map((each) => each.p99Ms))} ms, ` +
        `${median(runs.map((each) => each.statements)).toFixed(2)} statements, ${Math.max(...runs.map((each) => each.failures))} failures`,
    );
    const largest = payloadOf(maxPayloadBytes);
    const saved: WholeAnswer[] = [];
    for (const { token, ofpId } of fresh) {
      const content = { query: 'flightDataSave', data: { ofpId, dataKey: 'largest', payload: largest } };
      const answer = await wholeAnswer(`${api.url}/api`, content, requestHeaders(token));
      if (!isDeepStrictEqual((answer.body as { data: Fields }).data['payload'], largest))
        throw new Error('the answer has another payload');
      saved.push(answer);
    }
    const largeMs = median(saved.map(({ ms }) => ms));
    console.log(
      `  ${verdict(largeMs < goals.largeMedianMs)}  flightDataSave, ${(JSON.stringify(largest).length / 1e6).toFixed(1)} MB, ` +
        `median ${largeMs.toFixed(0)} ms to the last byte (goal ${goals.largeMedianMs}), ` +
        `longest ${Math.max(...saved.map(({ ms }) => ms)).toFixed(0)} ms; the client needs ` +
        `${median(saved.map(({ clientMs }) => clientMs)).toFixed(0)} ms more for its JSON`,
    );
  } finally {
    await stand.close();
  }
};
