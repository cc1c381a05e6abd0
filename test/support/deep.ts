/** `npm run test:deep` tries all of what `npm test` tries a sample of. */
export const isDeep = Boolean(process.env['DEEP']);

/** Why a test is skipped, for its title. */
export const deepNote = isDeep ? '' : ' (skipped: only in npm run test:deep)';

/** A sample of a list at regular intervals; in `npm run test:deep` all of it. */
export const sampled = <T>(list: readonly T[], every: number): T[] =>
  isDeep ? [...list] : list.filter((_, i) => i % every === 0);
