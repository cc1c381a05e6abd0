import { fileURLToPath } from 'node:url';
import { readWindFiles } from '#data/feeds/winds/files.ts';
import { pollWinds } from '#data/feeds/winds/poll.ts';
import type { WindDelivery } from '#data/feeds/winds/poll.ts';
import { sourceOf } from '#data/feeds/winds/sources.ts';
import { forecastHours } from '#domain/winds/snapshot.ts';
import { shownAddress } from '#domain/source-error.ts';
import { windCycleRepo, windCycleWrites } from '#store/postgres/winds/cycles.ts';
import { defineFeed } from '../define-feed.ts';
import type { FeedScope } from '../define-feed.ts';

/** A file, or a folder with the forecast hours of one cycle. */
const readFiles = async (scope: FeedScope, path: string): Promise<WindDelivery> => {
  const { snapshot, octets } = await readWindFiles(path, scope.fetch);
  return { snapshot, source: path, octets, faults: [] };
};

const poll = async (scope: FeedScope): Promise<WindDelivery | null> => {
  // With force, the active cycle is read again.
  const isAny = scope.override !== undefined || scope.force;
  const active = isAny ? null : await windCycleRepo(scope.db).active();
  const delivery = await pollWinds({
    sources: (scope.override === undefined ? scope.config.WINDS_URLS : [scope.override]).map(sourceOf),
    fetch: scope.fetch,
    nowMs: scope.now.getTime(),
    activeCycleMs: active?.cycle.getTime() ?? null,
  });
  for (const fault of delivery?.faults ?? []) scope.log.warn({ fault }, 'a source of winds failed');
  return delivery && scope.config.SOURCES === 'simulated' ? markedSimulated(delivery) : delivery;
};

const markedSimulated = (delivery: WindDelivery): WindDelivery => {
  const { header, steps } = delivery.snapshot;
  return { ...delivery, snapshot: { header: { ...header, source: `simulated ${header.source}` }, steps } };
};

/** Winds and temperatures aloft from the global model; a cycle is fetched, stored and activated as a whole. */
export default defineFeed<WindDelivery, WindDelivery>({
  name: 'winds',
  // Cycles are published every six hours; runs in between send no request.
  schedule: '7-59/10 * * * *',
  graceMinutes: 60,
  staleMinutes: 9 * 60,
  timeoutSeconds: 870,
  maxBytes: 64_000_000,
  isBinary: true,
  guards: { compareWith: 'nothing', notOlderThanStored: true, dataName: 'cycle' },
  sources: (scope) => {
    const address = scope.override ?? scope.config.WINDS_URLS[0] ?? '';
    const isFile = address.startsWith('file:') && !/%7B|\{/.test(address);
    const read = () => (isFile ? readFiles(scope, fileURLToPath(address)) : poll(scope));
    return [{ label: shownAddress(address), read }];
  },
  parse: async (delivery, { db }) => {
    const { cycleMs, stepsHours, levelsHpa } = delivery.snapshot.header;
    return {
      records: delivery,
      count: stepsHours.length * levelsHpa.length,
      rejects: [],
      dataAt: new Date(cycleMs),
      activeAt: (await windCycleRepo(db).active())?.cycle ?? null,
    };
  },
  guard: ({ records: { snapshot } }) => {
    const { cycleMs, stepsHours } = snapshot.header;
    const missing = forecastHours.filter((hour) => !stepsHours.includes(hour));
    if (missing.length === 0) return null;
    return `the cycle of ${new Date(cycleMs).toISOString()} lacks the hours ${missing.join(', ')}`;
  },
  store: async (tx, { snapshot, source }, { now }) =>
    (await windCycleWrites(tx).store(snapshot, source, now)).chunks,
});
