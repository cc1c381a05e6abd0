import { sql } from '../sql.ts';
import type { Tx } from '../sql.ts';

/** Effects that must happen once, even when a queue delivers twice. */
export const effectWrites = (tx: Tx) => ({
  /**
   * True for the first transaction that commits, false for every later one. A concurrent second one waits for
   * the first.
   */
  claim: async (kind: string, key: string, at: Date): Promise<boolean> =>
    (await tx.run(sql`
      INSERT INTO effect (key, kind, done_at) VALUES (${`${kind}:${key}`}, ${kind}, ${at})
      ON CONFLICT (key) DO NOTHING`)) === 1,
});
