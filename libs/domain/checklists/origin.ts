/** What a copy of a checklist knows of its original. */
import { z } from 'zod';
import { mayRead } from './rules.ts';
import type { ChecklistReader, Owned } from './rules.ts';

/** Of an original that is stored here. */
export interface StoredOrigin extends Owned {
  revision: number;
}

/** The revision of the original now, and the one that was copied or last compared with; null: not known. */
interface Copied {
  origin: StoredOrigin | null;
  originRevision: number | null;
}

/** In answers: absent unless it is a copy whose original is there and may be read. */
export const originShape = {
  originalRevision: z
    .int()
    .optional()
    .describe('revision of the original now, of a built-in one a number of its contents; of copies only'),
  originalChanged: z
    .boolean()
    .optional()
    .describe('the original has changed since it was copied or last compared with; of copies only'),
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
