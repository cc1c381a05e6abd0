import { SourceError, shownAddress } from '#domain/source-error.ts';
import type { FeedScope } from '../define-feed.ts';

/** A file's content, whether or not it has changed. */
export const contentOf = async (
  scope: FeedScope,
  address: string,
): Promise<{ name: string; bytes: Buffer }> => {
  const fetched = await scope.fetch(address, { conditional: false });
  if (fetched.kind === 'data') return fetched;
  throw new SourceError('STATUS', `${shownAddress(address)} returned no content.`);
};
