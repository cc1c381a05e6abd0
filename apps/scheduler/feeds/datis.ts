import { parseIvaoAtis } from '#data/feeds/datis/ivao.ts';
import { parseVatsimAtis } from '#data/feeds/datis/vatsim.ts';
import { isUpstreamError } from '#domain/source-error.ts';
import { oneLineOf } from '#platform/one-line.ts';
import { datisRepo, datisWrites } from '#store/postgres/weather/datis.ts';
import type { NetworkAAtisRecord, NetworkBAtisRecord } from '#domain/weather/datis.ts';
import type { ParseResult, Reject } from '#domain/weather/types.ts';
import { defineFeed } from '../define-feed.ts';
import type { FeedScope } from '../define-feed.ts';
import { tooOldReason, unreadableReason } from '../guards.ts';
import { datisSource, networkOf, networks, textOf } from '../sources/datis.ts';
import type { Network, Texts } from '../sources/datis.ts';
import { joined, named } from '../sources/problems.ts';

type DatedResult<T> = ParseResult<T> & { updatedAt: string | null };

interface Networks {
  a: NetworkAAtisRecord[] | null;
  b: NetworkBAtisRecord[] | null;
}

/** Older lists are not stored. */
const oldestListMinutes = 60;

/** Smaller networks may well lose half of their controllers within a minute. */
const guardedFrom = 20;

/** Refuses a network whose list is old, unreadable or has shrunk; the other one is stored. */
const guarded = <T extends DatedResult<unknown>>(
  result: T,
  network: Network,
  previous: number,
  { refuse, now }: FeedScope,
): T => {
  const count = result.records.length;
  const old = tooOldReason(timeOf(result), oldestListMinutes, { now, name: 'ATIS list' });
  if (old !== null) refuse(`${network}: ${old}`);
  if (previous >= guardedFrom && count < previous / 2)
    refuse(`${network}: ${count} ATIS, less than half of the last ${previous}`);
  const reason = unreadableReason(count, result.rejects.length, result.rejects[0]);
  if (reason !== null) refuse(`${network}: ${reason}`);
  return result;
};

const timeOf = ({ updatedAt }: { updatedAt: string | null }): Date | null => {
  const time = new Date(updatedAt ?? NaN);
  return Number.isNaN(time.getTime()) ? null : time;
};

/** D-ATIS of both online networks, each replaced as a whole; a failing network keeps its last set. */
export default defineFeed<Texts, Networks>({
  name: 'datis',
  schedule: '* * * * *',
  graceMinutes: 5,
  staleMinutes: 20,
  timeoutSeconds: 50,
  maxBytes: 32_000_000,
  content: 'text',
  parts: networks.map((network) => network.toLowerCase()),
  // Counted per network below; the lists change every few seconds.
  guards: { compareWith: 'nothing', rejectedShare: null },
  sources: (scope) => [datisSource(scope)],
  parse: async (texts, scope) => {
    const { db, override, log } = scope;
    const previous = await datisRepo(db).counts();
    const failures = [...texts].flatMap(([file, text]) =>
      text instanceof Error ? [{ network: networkOf[file], error: named(networkOf[file], text) }] : [],
    );
    const rejects: Reject[] = [];
    const times: Date[] = [];
    const read = <T>(network: Network, isThere: boolean, parse: () => DatedResult<T>): T[] | null => {
      const part = { name: network.toLowerCase(), count: null, dataAt: null };
      try {
        if (!isThere) {
          const failed = failures.find((failure) => failure.network === network);
          // Files from an operator are not counted as a part.
          if (failed) scope.notePart({ ...part, error: oneLineOf(failed.error) });
          return null;
        }
        const result = guarded(parse(), network, previous[network === 'IVAO' ? 'A' : 'B'], scope);
        rejects.push(...result.rejects);
        const dataAt = timeOf(result);
        if (dataAt) times.push(dataAt);
        scope.notePart({ ...part, count: result.records.length, dataAt, error: null });
        return result.records;
      } catch (caught) {
        const error = named(network, caught);
        if (override !== undefined) throw error;
        failures.push({ network, error });
        scope.notePart({ ...part, error: oneLineOf(error) });
        return null;
      }
    };
    const atis = textOf(texts, 'ivao-atis.json');
    const whazzup = textOf(texts, 'ivao-whazzup.json');
    const vatsim = textOf(texts, 'vatsim-data.json');
    const a = read('IVAO', atis !== null || whazzup !== null, () => parseIvaoAtis(atis, whazzup));
    const b = read('VATSIM', vatsim !== null, () => parseVatsimAtis(vatsim ?? ''));
    const problems = failures.map(({ error }) => error);
    if (a === null && b === null) throw joined(problems);
    for (const problem of problems) {
      const logged = isUpstreamError(problem) ? { error: oneLineOf(problem) } : { err: problem };
      log.warn(logged, 'part of the D-ATIS failed, the rest is stored');
      rejects.push({ reason: oneLineOf(problem), sample: '' });
    }
    return {
      records: { a, b },
      count: (a?.length ?? 0) + (b?.length ?? 0),
      rejects,
      // Each network has an age of its own.
      dataAt: times.length === 0 ? null : new Date(Math.max(...times.map((time) => time.getTime()))),
    };
  },
  store: (tx, { a, b }, { now, isSimulated }) =>
    datisWrites(tx).store(a, b, now, { isSimulated: isSimulated() }),
});
