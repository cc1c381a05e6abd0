/** The relation of a copied checklist to its original. */
import { z } from 'zod';
import { mayRead } from './rules.ts';
import type { ChecklistReader, Owned } from './rules.ts';

/** An original stored here. */
export interface StoredOrigin extends Owned {
  revision: number;
}

/** The original's current revision, and the one copied or last compared; null: unknown. */
interface Copied {
  origin: StoredOrigin | null;
  originRevision: number | null;
}

/** For answers; absent unless the checklist is a copy whose original exists and may be read. */
export const originShape = {
  originalRevision: z
    .int()
    .optional()
    .describe(
      'current revision of the original (for a built-in one, a number computed from its contents); copies only',
    ),
  originalChanged: z
    .boolean()
    .optional()
    .describe('true when the original has changed since it was copied or last compared; copies only'),
};

export const originView = (
  { origin, originRevision }: Copied,
  builtInRevision: number | null,
  caller: ChecklistReader,
): { originalRevision?: number; originalChanged?: boolean } => {
  const revision = builtInRevision ?? (origin && mayRead(origin, caller) ? origin.revision : null);
  if (revision === null) return {};
  const originalChanged = originRevision !== null && originRevision !== revision;
  return { originalRevision: revision, originalChanged };
};
