import { parseIvaoAtis } from '#data/feeds/datis/ivao.ts';
import { parseVatsimAtis } from '#data/feeds/datis/vatsim.ts';
import { filesIn, isFolder } from '#data/feeds/fetch.ts';
import { SourceError, isOutsideFailure, oneLineOf, shownAddress } from '#data/feeds/source-error.ts';
import { datisRepo, datisWrites } from '#data/postgres/weather/datis.ts';
import type { NetworkAAtisRecord, NetworkBAtisRecord } from '#domain/weather/datis.ts';
import type { ParseResult, Reject } from '#domain/weather/types.ts';
import { defineFeed } from '../define-feed.ts';
import type { FeedScope } from '../define-feed.ts';
import { unreadableReason } from '../guards.ts';

type FileName = 'vatsim-data.json' | 'ivao-whazzup.json' | 'ivao-atis.json';

/** Result of each address: its text, or why there is none. */
type Texts = Map<FileName, string | Error>;

type DatedResult<T> = ParseResult<T> & { updatedAt: string | null };

interface Networks {
  a: NetworkAAtisRecord[] | null;
  b: NetworkBAtisRecord[] | null;
}

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

/** Refuses the network whose list has shrunk or is unreadable; the other one is stored. */
const guarded = <T extends ParseResult<unknown>>(
  result: T,
  network: string,
  previous: number,
  { refuse }: FeedScope,
): T => {
  const count = result.records.length;
  if (previous >= guardedFrom && count < previous / 2)
    refuse(`${network}: ${count} ATIS, less than half of the last ${previous}`);
  const reason = unreadableReason(count, result.rejects.length, result.rejects[0]);
  if (reason !== null) refuse(`${network}: ${reason}`);
  return result;
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
  // Counted per network below; the lists change every few seconds.
  guards: { compareWith: 'nothing', rejectedShare: null, ageMinutes: 60, dataName: 'ATIS list' },
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
    const problems = [...texts.values()].filter((text) => text instanceof Error);
    const rejects: Reject[] = [];
    const times: number[] = [];
    const read = <T>(isThere: boolean, parse: () => DatedResult<T>): T[] | null => {
      if (!isThere) return null;
      try {
        const result = parse();
        rejects.push(...result.rejects);
        if (result.updatedAt !== null) times.push(Date.parse(result.updatedAt));
        return result.records;
      } catch (error) {
        if (override !== undefined) throw error;
        problems.push(error instanceof Error ? error : new Error(String(error)));
        return null;
      }
    };
    const atis = textOf(texts, 'ivao-atis.json');
    const whazzup = textOf(texts, 'ivao-whazzup.json');
    const vatsim = textOf(texts, 'vatsim-data.json');
    const a = read(atis !== null || whazzup !== null, () =>
      guarded(parseIvaoAtis(atis, whazzup), 'First network', previous.A, scope),
    );
    const b = read(vatsim !== null, () =>
      guarded(parseVatsimAtis(vatsim ?? ''), 'Second network', previous.B, scope),
    );
    if (a === null && b === null) throw joined(problems);
    for (const problem of problems) {
      const logged = isOutsideFailure(problem) ? { error: oneLineOf(problem) } : { err: problem };
      log.warn(logged, 'part of the D-ATIS failed, the rest is stored');
      rejects.push({ reason: oneLineOf(problem), sample: '' });
    }
    const known = times.filter((time) => !Number.isNaN(time));
    return {
      records: { a, b },
      count: (a?.length ?? 0) + (b?.length ?? 0),
      rejects,
      // The older of the two: each network is replaced as a whole.
      dataAt: known.length === 0 ? null : new Date(Math.min(...known)),
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
