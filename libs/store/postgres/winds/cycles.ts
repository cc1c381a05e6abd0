import { windHeaderSchema, checkedSnapshot, stepLength } from '#domain/winds/snapshot.ts';
import type { WindSnapshot, WindHeader } from '#domain/winds/snapshot.ts';
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
    const assembler = createAssembler(header);
    for (let step = 0; step < header.stepsHours.length; step++) {
      for (let part = 0; part < partsPerStep(header); part++) {
        const chunk = await db.maybe<WindChunk>(sql`
          SELECT step, part, data, sha256 FROM wind_chunk
          WHERE wind_cycle_id = ${id} AND step = ${step} AND part = ${part}`);
        // Deleted while being read: two newer cycles have arrived in the meantime.
        if (!chunk) return null;
        assembler.put(chunk);
      }
    }
    return assembler.finish();
  },
});

/** The id of the active cycle when it contains exactly the same numbers, undamaged; null otherwise. */
const sameAsActive = async (tx: Tx, snapshot: WindSnapshot): Promise<number | null> => {
  const active = await tx.maybe<{ id: number }>(sql`
    SELECT c.id FROM wind_active a JOIN wind_cycle c ON c.id = a.wind_cycle_id
    WHERE c.header = ${JSON.stringify(snapshot.header)}::jsonb`);
  if (!active) return null;
  const stored = await tx.any<{ step: number; part: number; sha256: Buffer }>(sql`
    SELECT step, part, sha256(data) AS sha256 FROM wind_chunk
    WHERE wind_cycle_id = ${active.id} ORDER BY step, part`);
  let count = 0;
  for (const { step, part, sha256 } of chunksOf(snapshot)) {
    const same = stored[count];
    if (!same || same.step !== step || same.part !== part || !same.sha256.equals(sha256)) return null;
    count += 1;
  }
  return count === stored.length ? active.id : null;
};

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
    const sameId = await sameAsActive(tx, snapshot);
    if (sameId !== null) return { id: sameId, chunks: 0 };
    const { header, steps } = snapshot;
    const bytes = steps.reduce((sum, step) => sum + step.byteLength, 0);
    const id = await tx.value<number>(sql`
      INSERT INTO wind_cycle (cycle, source, header, bytes)
      VALUES (${new Date(header.cycleMs)}, ${source}, ${JSON.stringify(header)}::jsonb, ${bytes})
      RETURNING id`);
    let chunks = 0;
    for (const { step, part, data, sha256 } of chunksOf(snapshot)) {
      chunks += 1;
      await tx.run(sql`
        INSERT INTO wind_chunk (wind_cycle_id, step, part, sha256, data)
        VALUES (${id}, ${step}, ${part}, ${sha256}, ${data})`);
    }
    await tx.run(sql`
      INSERT INTO wind_active (wind_cycle_id, switched_at) VALUES (${id}, ${now})
      ON CONFLICT (only_row) DO UPDATE SET wind_cycle_id = excluded.wind_cycle_id, switched_at = excluded.switched_at`);
    await tx.run(sql`
      DELETE FROM wind_cycle WHERE id NOT IN (SELECT id FROM wind_cycle ORDER BY id DESC LIMIT ${keptCycles})`);
    return { id, chunks };
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

/** Number of chunks per step of such a snapshot. */
const partsPerStep = (header: WindHeader): number => Math.ceil((stepLength(header) * 2) / chunkOctets);

/**
 * A snapshot as chunks, without copying its numbers. Hosts are little-endian, so the memory layout is the
 * stored form.
 */
const chunksOf = function* (snapshot: WindSnapshot): Generator<WindChunk> {
  for (const [step, numbers] of snapshot.steps.entries()) {
    const bytes = Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
    for (let part = 0; part * chunkOctets < bytes.length; part++) {
      const data = bytes.subarray(part * chunkOctets, (part + 1) * chunkOctets);
      yield { step, part, data, sha256: sha256(data) };
    }
  }
};

/** Reassembles a snapshot; every chunk is checked against its hash and length. */
const createAssembler = (
  header: WindHeader,
): {
  put: (chunk: WindChunk) => void;
  finish: () => WindSnapshot;
} => {
  // Allocated one by one as they arrive: 74 MB at once would delay the requests in progress.
  const steps: Int16Array[] = [];
  const stepAt = (step: number): Int16Array => {
    if (!Number.isInteger(step) || step < 0 || step >= header.stepsHours.length)
      throw new SourceError('CORRUPT', `there is no step ${step}`);
    return (steps[step] ??= new Int16Array(stepLength(header)));
  };
  const expected = header.stepsHours.length * partsPerStep(header);
  const seen = new Set<string>();
  return {
    put: ({ step, part, data, sha256: hash }) => {
      const numbers = stepAt(step);
      const bytes = Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
      const target = bytes.subarray(part * chunkOctets, (part + 1) * chunkOctets);
      if (target.length !== data.length || data.length === 0)
        throw new SourceError(
          'CORRUPT',
          `chunk ${step}/${part} has ${data.length} octets instead of ${target.length}`,
        );
      if (!sha256(data).equals(hash))
        throw new SourceError('CORRUPT', `chunk ${step}/${part} does not match its hash`);
      data.copy(target);
      seen.add(`${step}/${part}`);
    },
    finish: () => {
      if (seen.size !== expected) throw new SourceError('CORRUPT', `${seen.size} of ${expected} chunks`);
      return checkedSnapshot(header, steps);
    },
  };
};
