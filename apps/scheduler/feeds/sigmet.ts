import { parseSigmets } from '#data/feeds/sigmet/parse.ts';
import { isUpstreamError } from '#domain/source-error.ts';
import { sigmetRepo, sigmetWrites } from '#store/postgres/weather/sigmets.ts';
import { sigmetProducts } from '#domain/weather/sigmet.ts';
import type { Sigmet, SigmetProduct } from '#domain/weather/sigmet.ts';
import type { Reject } from '#domain/weather/types.ts';
import { oneLineOf } from '#platform/one-line.ts';
import { defineFeed } from '../define-feed.ts';
import type { FeedScope } from '../define-feed.ts';
import { unreadableReason } from '../guards.ts';
import { joined, named } from '../sources/problems.ts';
import { sigmetSource } from '../sources/sigmet.ts';
import type { SigmetTexts } from '../sources/sigmet.ts';

type Lists = Map<SigmetProduct, readonly Sigmet[]>;

/** Shorter lists may well lose half of their warnings at once. */
const guardedFrom = 5;

type InForce = Partial<Record<SigmetProduct, number>>;

/** Refuses a list that is unreadable, outdated, or lacks half of what is in force; the others are stored. */
const guarded = (
  text: string,
  expected: SigmetProduct | null,
  inForce: InForce,
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
export default defineFeed<SigmetTexts, Lists>({
  name: 'sigmet',
  schedule: '*/10 * * * *',
  graceMinutes: 30,
  staleMinutes: 120,
  timeoutSeconds: 120,
  maxBytes: 16_000_000,
  content: 'text',
  parts: sigmetProducts,
  // Counted per list above.
  guards: { compareWith: 'nothing', rejectedShare: null },
  sources: (scope) => [sigmetSource(scope)],
  parse: async (texts, scope) => {
    const inForce = await sigmetRepo(scope.db).counts(scope.now);
    const lists: Lists = new Map();
    const failures: Error[] = [];
    const rejects: Reject[] = [];
    let newest: Date | null = null;
    for (const [from, text] of texts) {
      try {
        if (text instanceof Error) throw text;
        const list = guarded(text, from === 'file' ? null : from, inForce, scope);
        lists.set(list.product, list.records);
        rejects.push(...list.rejects);
        if (list.issuedAt && list.issuedAt > (newest ?? 0)) newest = list.issuedAt;
        scope.notePart({
          name: list.product,
          count: list.records.length,
          dataAt: list.issuedAt,
          error: null,
        });
      } catch (caught) {
        if (from === 'file') throw caught;
        const error = named(from, caught);
        failures.push(error);
        scope.notePart({ name: from, count: null, dataAt: null, error: oneLineOf(error) });
      }
    }
    if (lists.size === 0) throw joined(failures);
    for (const failure of failures) {
      const logged = isUpstreamError(failure) ? { error: oneLineOf(failure) } : { err: failure };
      scope.log.warn(logged, 'a list of SIGMETs failed, the others are stored');
      rejects.push({ reason: oneLineOf(failure), sample: '' });
    }
    const count = [...lists.values()].reduce((sum, list) => sum + list.length, 0);
    return { records: lists, count, rejects, dataAt: newest };
  },
  store: async (tx, lists, { now, isSimulated }) => {
    let written = 0;
    for (const [product, sigmets] of lists)
      written += await sigmetWrites(tx).store(product, sigmets, {
        now,
        source: isSimulated() ? 'SIMULATED' : 'AWC',
      });
    return written;
  },
});
