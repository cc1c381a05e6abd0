/** The three lists of warnings. */
import { shownAddress } from '#domain/source-error.ts';
import type { SigmetProduct } from '#domain/weather/sigmet.ts';
import type { FeedScope, FeedSource } from '../define-feed.ts';
import { contentOf } from './content.ts';

/** Per address, the text or the error; `file` from the command line. */
export type SigmetTexts = Map<SigmetProduct | 'file', string | Error>;

const addressOf = ({ config }: FeedScope, product: SigmetProduct): string =>
  `${config.AWC_URL}/api/data/${product}?format=json`;

/** All three lists; a failing one yields its error, so that the others continue. */
const readLists = async (scope: FeedScope): Promise<SigmetTexts | null> => {
  const texts: SigmetTexts = new Map();
  for (const product of ['isigmet', 'airsigmet', 'gairmet'] as const) {
    try {
      // A list that a guard refused is read again.
      const fetched = await scope.fetch(addressOf(scope, product), { conditional: false, allowEmpty: true });
      if (fetched.kind === 'data') texts.set(product, fetched.bytes.toString('utf8'));
    } catch (error) {
      if (scope.signal.aborted) throw error;
      texts.set(product, error instanceof Error ? error : new Error(String(error)));
    }
  }
  return texts.size === 0 ? null : texts;
};

export const sigmetSource = (scope: FeedScope): FeedSource<SigmetTexts> => {
  const { override } = scope;
  if (override === undefined)
    return { label: shownAddress(addressOf(scope, 'isigmet')), read: () => readLists(scope) };
  const read = async (): Promise<SigmetTexts> =>
    new Map([['file', (await contentOf(scope, override)).bytes.toString('utf8')]]);
  return { label: shownAddress(override), read };
};
