/** What saves, and their conflicts, answer of the row: what was sent up need not come down again. */
import { z } from 'zod';

export const returnField = () =>
  z
    .enum(['row', 'head'], 'INVALID_FIELD')
    .nullish()
    .describe('`head`: the row in the answer, and in a conflict, is without its contents; default `row`');
export type Returned = z.output<ReturnType<typeof returnField>>;

export const absentWithHead = 'absent with return: head';
