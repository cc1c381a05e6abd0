import { parseIvaoAtis } from '#data/feeds/datis/ivao.ts';
import { parseVatsimAtis } from '#data/feeds/datis/vatsim.ts';
import { filesIn, isFolder } from '#data/feeds/fetch.ts';
import { SourceError, isOutsideFailure, oneLineOf, shownAddress } from '#data/feeds/source-error.ts';
import { datisRepo, datisWrites } from '#data/postgres/weather/datis.ts';
import type { NetworkAAtisRecord, NetworkBAtisRecord } from '#domain/weather/datis.ts';
import type { ParseResult, Reject } from '#domain/weather/types.ts';
import { defineFeed } from '../define-feed.ts';
import type { FeedScope } from '../define-feed.ts';
import { tooOldReason, unreadableReason } from '../guards.ts';

type FileName = 'vatsim-data.json' | 'ivao-whazzup.json' | 'ivao-atis.json';

/** Result of each address: its text, or why there is none. */
type Texts = Map<FileName, string | Error>;

type DatedResult<T> = ParseResult<T> & { updatedAt: string | null };

interface Networks {
  a: NetworkAAtisRecord[] | null;
  b: NetworkBAtisRecord[] | null;
}

const networks = ['IVAO', 'VATSIM'] as const;
type Network = (typeof networks)[number];

const networkOf: Readonly<Record<FileName, Network>> = {
  'ivao-atis.json': 'IVAO',
  'ivao-whazzup.json': 'IVAO',
  'vatsim-data.json': 'VATSIM',
};

/** A list of a network that is older than this is not stored. */
const oldestListMinutes = 60;

/** A network with fewer controllers than this may well lose half of them within a minute. */
const guardedFrom = 20;

/** The kind of a text among the three files, by its content. */
const kindOf = (text: string, shown: string): FileName => {
  const head = text.slice(0, 20_000);
  if (/^\s*\[/.test(head)) return head.includes('"sessionId"') ? 'ivao-atis.json' : 'vatsim-data.json';
  if (head.includes('"clients"') || text.includes('"atcs"')) return 'ivao-whazzup.json';
  if (head.includes('"general"') || text.includes('"text_atis"')) return 'vatsim-data.json';
  throw new SourceError('CORRUPT', `${shown} is not an ATIS file of a known network.`);
};

/** A folder with any of the three files, or one file of any name. Everything in it must be readable. */
const readOverride = async (scope: FeedScope, address: string): Promise<Texts> => {
  const text = async (file: string): Promise<string> => {
    const fetched = await scope.fetch(file, { conditional: false });
    if (fetched.kind !== 'data')
      throw new SourceError('STATUS', `${shownAddress(file)} returned no content.`);
    return fetched.bytes.toString('utf8');
  };
  if (!(await isFolder(address))) {
    const content = await text(address);
    return new Map([[kindOf(content, shownAddress(address)), content]]);
  }
  const texts: Texts = new Map();
  const files = await filesIn(address);
  for (const name of ['vatsim-data.json', 'ivao-whazzup.json', 'ivao-atis.json'] as const) {
    const file = files.find((each) => each.name === name || each.name === `${name}.gz`);
    if (file) texts.set(name, await text(file.address));
  }
  if (texts.size === 0)
    throw new SourceError(
      'NOT_FOUND',
      `${shownAddress(address)} contains none of vatsim-data.json, ivao-whazzup.json and ivao-atis.json.`,
    );
  return texts;
};

/** All three addresses; a failing one becomes its error, so that the other network continues. */
const readNetworks = async (scope: FeedScope): Promise<Texts | null> => {
  const { IVAO_ATIS_URL, IVAO_WHAZZUP_URL, VATSIM_URL } = scope.config;
  const texts: Texts = new Map();
  for (const [name, address] of [
    ['ivao-atis.json', IVAO_ATIS_URL],
    ['ivao-whazzup.json', IVAO_WHAZZUP_URL],
    ['vatsim-data.json', VATSIM_URL],
  ] as const) {
    try {
      // The lists change every few seconds, and half of a network is of no use alone.
      const fetched = await scope.fetch(address, { conditional: false });
      if (fetched.kind === 'data') texts.set(name, fetched.bytes.toString('utf8'));
    } catch (error) {
      if (scope.signal.aborted) throw error;
      texts.set(name, error instanceof Error ? error : new Error(String(error)));
    }
  }
  return texts.size === 0 ? null : texts;
};

const textOf = (texts: Texts, name: FileName): string | null => {
  const text = texts.get(name);
  return typeof text === 'string' ? text : null;
};

/** Refuses the network whose list is old, has shrunk or is unreadable; the other one is stored. */
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

/** A failure of a source with the name of its network; a bug as it is. */
const named = (network: Network, error: unknown): Error => {
  const known = error instanceof Error ? error : new Error(String(error));
  if (!isOutsideFailure(known) || known.message.startsWith(`${network}: `)) return known;
  const code = known instanceof SourceError ? known.code : 'CORRUPT';
  const pause = known instanceof SourceError ? known.retryAfterSeconds : null;
  return new SourceError(code, `${network}: ${oneLineOf(known)}`, {
    cause: known,
    ...(pause === null ? {} : { retryAfterSeconds: pause }),
  });
};

/** D-ATIS of both online networks, each replaced as a whole; a network that fails keeps its last set. */
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
  sources: (scope) => {
    const { override, config } = scope;
    if (override !== undefined)
      return [{ label: shownAddress(override), read: () => readOverride(scope, override) }];
    const label = `${shownAddress(config.IVAO_ATIS_URL)}, ${shownAddress(config.VATSIM_URL)}`;
    return [{ label, read: () => readNetworks(scope) }];
  },
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
          // Not a part of what an operator gave.
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
      const logged = isOutsideFailure(problem) ? { error: oneLineOf(problem) } : { err: problem };
      log.warn(logged, 'part of the D-ATIS failed, the rest is stored');
      rejects.push({ reason: oneLineOf(problem), sample: '' });
    }
    return {
      records: { a, b },
      count: (a?.length ?? 0) + (b?.length ?? 0),
      rejects,
      // Each network has its own age.
      dataAt: times.length === 0 ? null : new Date(Math.max(...times.map((time) => time.getTime()))),
    };
  },
  store: (tx, { a, b }, { now, isSimulated }) =>
    datisWrites(tx).store(a, b, now, { isSimulated: isSimulated() }),
});

/** All failures in one line, under the code of one that is more than an unreachable server. */
const joined = (problems: readonly Error[]): Error => {
  const [only, ...others] = problems;
  if (only && others.length === 0) return only;
  const bug = problems.find((problem) => !isOutsideFailure(problem));
  if (bug) return bug;
  const codes = problems.map((problem) => (problem instanceof SourceError ? problem.code : 'CORRUPT'));
  const pause = longestPause(problems);
  return new SourceError(
    codes.find((code) => code !== 'CONNECTION' && code !== 'TIMEOUT') ?? 'CONNECTION',
    [...new Set(problems.map(oneLineOf))].join(' / '),
    pause === null ? {} : { retryAfterSeconds: pause },
  );
};

const longestPause = (problems: readonly Error[]): number | null => {
  const seconds = problems.map((error) =>
    error instanceof SourceError ? (error.retryAfterSeconds ?? 0) : 0,
  );
  return Math.max(0, ...seconds) || null;
};
