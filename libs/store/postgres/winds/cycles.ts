import { windHeaderSchema, stepLength } from '#domain/winds/snapshot.ts';
import type { WindSnapshot } from '#domain/winds/snapshot.ts';
import { sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';
import { createHash } from 'node:crypto';
import { SourceError } from '#domain/source-error.ts';

/** Number of cycles kept: the active one and the previous one. */
const keptCycles = 2;

interface ActiveWindCycle {
  id: number;
  cycle: Date;
  source: string;
  bytes: number;
  switchedAt: Date;
}

export const windCycleRepo = (db: ReadDb) => ({
  /** The active cycle, null before the first one. */
  active: (): Promise<ActiveWindCycle | null> =>
    db.maybe<ActiveWindCycle>(sql`
      SELECT c.id, c.cycle, c.source, c.bytes, a.switched_at
      FROM wind_active a JOIN wind_cycle c ON c.id = a.wind_cycle_id`),

  /**
   * The numbers of a stored cycle, null when it has been deleted. Reads chunk by chunk, so that a server
   * continues to answer. Throws SourceError when a chunk differs from what was stored.
   */
  load: async (id: number): Promise<WindSnapshot | null> => {
    const row = await db.maybe<{ header: unknown }>(sql`SELECT header FROM wind_cycle WHERE id = ${id}`);
    if (!row) return null;
    const header = windHeaderSchema.parse(row.header);
    const steps: Int16Array[] = [];
    for (const step of header.stepsHours.keys()) {
      // Allocated one by one: 74 MB at once would delay the requests in progress.
      const numbers = new Int16Array(stepLength(header));
      for (const [part, target] of partsOf(numbers).entries()) {
        const chunk = await db.maybe<Pick<WindChunk, 'data' | 'sha256'>>(sql`
          SELECT data, sha256 FROM wind_chunk
          WHERE wind_cycle_id = ${id} AND step = ${step} AND part = ${part}`);
        // Deleted while being read: two newer cycles have arrived in the meantime.
        if (!chunk) return null;
        if (chunk.data.length !== target.length || !sha256(chunk.data).equals(chunk.sha256))
          throw new SourceError('CORRUPT', `chunk ${step}/${part} does not match its hash`);
        chunk.data.copy(target);
      }
      steps.push(numbers);
    }
    return { header, steps };
  },
});

/** The id of the active cycle when it contains exactly these numbers, undamaged; null otherwise. */
const sameAsActive = (tx: Tx, { header }: WindSnapshot, chunks: readonly WindChunk[]) =>
  tx.maybe<{ id: number }>(sql`
    SELECT c.id FROM wind_active a JOIN wind_cycle c ON c.id = a.wind_cycle_id
    WHERE c.header = ${JSON.stringify(header)}::jsonb AND ${chunks.map((chunk) => chunk.sha256)}::bytea[] = ARRAY(
      SELECT sha256(data) FROM wind_chunk WHERE wind_cycle_id = c.id ORDER BY step, part)`);

export const windCycleWrites = (tx: Tx) => ({
  /**
   * Stores a snapshot and makes it active, which other processes follow, and deletes all but the last two cycles. The
   * commit makes the switch visible as a whole. A snapshot equal to the active one is not written again. Returns the id
   * of its row and how many chunks were written.
   */
  store: async (
    snapshot: WindSnapshot,
    source: string,
    now: Date,
  ): Promise<{ id: number; chunks: number }> => {
    const { header, steps } = snapshot;
    const chunks = chunksOf(snapshot);
    const same = await sameAsActive(tx, snapshot, chunks);
    if (same) return { id: same.id, chunks: 0 };
    const bytes = steps.reduce((sum, step) => sum + step.byteLength, 0);
    const id = await tx.value<number>(sql`
      INSERT INTO wind_cycle (cycle, source, header, bytes)
      VALUES (${new Date(header.cycleMs)}, ${source}, ${JSON.stringify(header)}::jsonb, ${bytes})
      RETURNING id`);
    for (const { step, part, data, sha256 } of chunks)
      await tx.run(sql`
        INSERT INTO wind_chunk (wind_cycle_id, step, part, sha256, data)
        VALUES (${id}, ${step}, ${part}, ${sha256}, ${data})`);
    await tx.run(sql`
      INSERT INTO wind_active (wind_cycle_id, switched_at) VALUES (${id}, ${now})
      ON CONFLICT (only_row) DO UPDATE SET wind_cycle_id = excluded.wind_cycle_id, switched_at = excluded.switched_at`);
    await tx.run(sql`
      DELETE FROM wind_cycle WHERE id NOT IN (SELECT id FROM wind_cycle ORDER BY id DESC LIMIT ${keptCycles})`);
    return { id, chunks: chunks.length };
  },
});

/** Octets per chunk: small enough that reading one does not block the event loop of a server. */
const chunkOctets = 256 * 1024;

/** A piece of one step's numbers: int16 little-endian, in the order of the snapshot. */
interface WindChunk {
  step: number;
  part: number;
  data: Buffer;
  sha256: Buffer;
}

const sha256 = (data: Uint8Array): Buffer => createHash('sha256').update(data).digest();

/** The parts of one step in order, without copying its numbers. Hosts are little-endian, as is the stored form. */
const partsOf = (numbers: Int16Array): Buffer[] => {
  const bytes = Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  return Array.from({ length: Math.ceil(bytes.length / chunkOctets) }, (_, part) =>
    bytes.subarray(part * chunkOctets, (part + 1) * chunkOctets),
  );
};

const chunksOf = ({ steps }: WindSnapshot): WindChunk[] =>
  steps.flatMap((numbers, step) =>
    partsOf(numbers).map((data, part) => ({ step, part, data, sha256: sha256(data) })),
  );
