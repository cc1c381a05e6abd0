import { parseSigmets } from '#data/feeds/sigmet/parse.ts';
import { shownAddress } from '#domain/source-error.ts';
import { sigmetRepo, sigmetWrites } from '#store/postgres/weather/sigmets.ts';
import { sigmetProducts } from '#domain/weather/sigmet.ts';
import type { Sigmet, SigmetProduct } from '#domain/weather/sigmet.ts';
import { defineFeed } from '../define-feed.ts';
import type { FeedScope } from '../define-feed.ts';
import { unreadableReason } from '../guards.ts';
import { parseParts, readTexts } from '../sources/parts.ts';
import type { Texts } from '../sources/parts.ts';

type SigmetTexts = Texts<SigmetProduct | 'file'>;

interface List {
  product: SigmetProduct;
  sigmets: readonly Sigmet[];
}

/** Shorter lists may well lose half of their warnings at once. */
const guardedFrom = 5;

const addressOf = ({ config }: FeedScope, product: SigmetProduct): string =>
  `${config.AWC_URL}/api/data/${product}?format=json`;

/**
 * Refuses a list that is unreadable, outdated, or lacks half of the warnings in force; the other lists are
 * stored.
 */
const guarded = (
  text: string,
  expected: SigmetProduct | null,
  inForce: Partial<Record<SigmetProduct, number>>,
  { now, refuse }: FeedScope,
) => {
  const list = parseSigmets(text, expected, now);
  const count = list.records.length;
  const unreadable = unreadableReason(count, list.rejects.length, list.rejects[0]);
  if (unreadable !== null) refuse(unreadable);
  if (count > 0 && list.records.every(({ validTo }) => new Date(validTo) <= now))
    refuse('every SIGMET of the list has ended');
  const before = inForce[list.product] ?? 0;
  if (before >= guardedFrom && count < before / 2)
    refuse(`${count} SIGMETs, less than half of the ${before} that are in force`);
  return list;
};

/** SIGMET, AIRMET and G-AIRMET, each list replaced as a whole; a failing list keeps its last valid set. */
export default defineFeed<SigmetTexts, List[]>({
  name: 'sigmet',
  schedule: '*/10 * * * *',
  graceMinutes: 30,
  staleMinutes: 120,
  timeoutSeconds: 120,
  maxBytes: 16_000_000,
  parts: sigmetProducts,
  // Counted per list above.
  guards: { compareWith: 'nothing', rejectedShare: null },
  sources: (scope) => {
    const addresses = sigmetProducts.map((product) => [product, addressOf(scope, product)] as const);
    const read = () => readTexts(scope, addresses, { allowEmpty: true });
    return [{ label: shownAddress(addressOf(scope, 'isigmet')), read }];
  },
  readOverride: async (scope, address) =>
    new Map([['file', (await scope.content(address)).bytes.toString('utf8')]]),
  parse: async (texts, scope) => {
    const inForce = await sigmetRepo(scope.db).counts(scope.now);
    const parts = [...texts].map(([from, text]) => ({
      label: from === 'file' ? null : from,
      parse: () => {
        if (text instanceof Error) throw text;
        const list = guarded(text, from === 'file' ? null : from, inForce, scope);
        const { product, records, issuedAt, rejects } = list;
        const part = { name: product, count: records.length, dataAt: issuedAt, rejects };
        return { ...part, records: { product, sigmets: records } };
      },
    }));
    return parseParts(scope, parts);
  },
  store: async (tx, lists) => {
    let written = 0;
    for (const { product, sigmets } of lists) written += await sigmetWrites(tx).store(product, sigmets);
    return written;
  },
});
