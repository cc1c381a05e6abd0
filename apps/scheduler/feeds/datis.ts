import { parseIvaoAtis, parseVatsimAtis } from '#data/feeds/datis/atis.ts';
import { filesAt } from '#data/feeds/fetch.ts';
import { SourceError, shownAddress } from '#domain/source-error.ts';
import { datisRepo, datisWrites } from '#store/postgres/weather/datis.ts';
import type { NetworkAAtisRecord, NetworkBAtisRecord } from '#domain/weather/datis.ts';
import type { ParseResult } from '#domain/weather/types.ts';
import { defineFeed } from '../define-feed.ts';
import type { FeedScope } from '../define-feed.ts';
import { tooOldReason, unreadableReason } from '../guards.ts';
import { named, parseParts, readTexts } from '../sources/parts.ts';
import type { Texts } from '../sources/parts.ts';

const filesOf = {
  IVAO: ['ivao-atis.json', 'ivao-whazzup.json'],
  VATSIM: ['vatsim-data.json'],
} as const;
type Network = keyof typeof filesOf;
type FileName = (typeof filesOf)[Network][number];

type DatedResult<T> = ParseResult<T> & { updatedAt: string | null };

interface Networks {
  a?: NetworkAAtisRecord[];
  b?: NetworkBAtisRecord[];
}

/** Older lists are not stored. */
const oldestListMinutes = 60;

/** Smaller networks may well lose half of their controllers within a minute. */
const guardedFrom = 20;

/** Which of the three files a text is, by its content. */
const kindOf = (text: string, shown: string): FileName => {
  const head = text.slice(0, 20_000);
  if (/^\s*\[/.test(head)) return head.includes('"sessionId"') ? 'ivao-atis.json' : 'vatsim-data.json';
  if (head.includes('"clients"') || text.includes('"atcs"')) return 'ivao-whazzup.json';
  if (head.includes('"general"') || text.includes('"text_atis"')) return 'vatsim-data.json';
  throw new SourceError('CORRUPT', `${shown} is not an ATIS file of a known network.`);
};

/** A file, or a folder of up to three, each recognised by its content. */
const readOverride = async (scope: FeedScope, address: string): Promise<Texts<FileName>> => {
  const texts: Texts<FileName> = new Map();
  for (const file of await filesAt(address)) {
    const text = (await scope.content(file.address)).bytes.toString('utf8');
    texts.set(kindOf(text, file.name), text);
  }
  return texts;
};

const timeOf = ({ updatedAt }: { updatedAt: string | null }): Date | null => {
  const time = new Date(updatedAt ?? NaN);
  return Number.isNaN(time.getTime()) ? null : time;
};

/** Refuses a network whose list is old, unreadable or has shrunk; the other one is stored. */
const guarded = <T>(
  result: DatedResult<T>,
  network: Network,
  previous: number,
  { refuse, now }: FeedScope,
) => {
  const { records, rejects } = result;
  const count = records.length;
  const dataAt = timeOf(result);
  const old = tooOldReason(dataAt, oldestListMinutes, { now, name: 'ATIS list' });
  if (old !== null) refuse(`${network}: ${old}`);
  if (previous >= guardedFrom && count < previous / 2)
    refuse(`${network}: ${count} ATIS, less than half of the last ${previous}`);
  const reason = unreadableReason(count, rejects.length, rejects[0]);
  if (reason !== null) refuse(`${network}: ${reason}`);
  return { name: network.toLowerCase(), records, count, dataAt, rejects };
};

/** D-ATIS of both online networks, each replaced as a whole; a failing network keeps its last set. */
export default defineFeed<Texts<FileName>, Networks>({
  name: 'datis',
  schedule: '* * * * *',
  graceMinutes: 5,
  staleMinutes: 20,
  timeoutSeconds: 50,
  maxBytes: 32_000_000,
  parts: Object.keys(filesOf).map((network) => network.toLowerCase()),
  // Counted per network above; the lists change every few seconds.
  guards: { compareWith: 'nothing', rejectedShare: null },
  sources: (scope) => {
    const { IVAO_URL, VATSIM_URL } = scope.config;
    const addresses = [
      ['ivao-atis.json', `${IVAO_URL}/atis`],
      ['ivao-whazzup.json', IVAO_URL],
      ['vatsim-data.json', VATSIM_URL],
    ] as const;
    const label = `${shownAddress(IVAO_URL)}, ${shownAddress(VATSIM_URL)}`;
    return [{ label, read: () => readTexts(scope, addresses) }];
  },
  readOverride,
  parse: async (texts, scope) => {
    const previous = await datisRepo(scope.db).counts();
    const textOf = (file: FileName): string | null => {
      const text = texts.get(file);
      return typeof text === 'string' ? text : null;
    };
    const failuresOf = (network: Network): Error[] =>
      filesOf[network].flatMap((file) => {
        const text = texts.get(file);
        return text instanceof Error ? named(network, text) : [];
      });
    const failures = { IVAO: failuresOf('IVAO'), VATSIM: failuresOf('VATSIM') };
    const part = <T>(
      label: Network,
      before: number,
      parse: () => DatedResult<T>,
      recordsOf: (records: T[]) => Networks,
    ) => ({
      label,
      parse: () => {
        const [failure] = failures[label];
        if (failure && filesOf[label].every((file) => textOf(file) === null)) throw failure;
        const result = guarded(parse(), label, before, scope);
        return { ...result, records: recordsOf(result.records) };
      },
    });
    const ivao = () => parseIvaoAtis(textOf('ivao-atis.json'), textOf('ivao-whazzup.json'));
    const vatsim = () => parseVatsimAtis(textOf('vatsim-data.json') ?? '');
    const parts = [
      part('IVAO', previous.A, ivao, (a) => ({ a })),
      part('VATSIM', previous.B, vatsim, (b) => ({ b })),
    ];
    // A network missing from an operator's files stays unchanged.
    const given = parts.filter(({ label }) => filesOf[label].some((file) => texts.has(file)));
    const parsed = parseParts(scope, given, Object.values(failures).flat());
    return { ...parsed, records: Object.assign({}, ...parsed.records) as Networks };
  },
  store: (tx, { a, b }, { now, isSimulated }) =>
    datisWrites(tx).store(a ?? null, b ?? null, now, { isSimulated: isSimulated() }),
});
