import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { calculationWrites } from '#data/postgres/performance/calculations.ts';
import { graphicRepo } from '#data/postgres/performance/graphics.ts';
import { testContext } from '#test/harness.ts';
import type { TestContext } from '#test/harness.ts';
import { insertBySql, runSql } from '#test/support/sql.ts';
import { drawCalculation } from './draw.ts';

describe('drawing a calculation', () => {
  let t: TestContext;
  let userId: number;
  const never = new AbortController().signal;

  beforeAll(async () => {
    t = await testContext();
    ({ id: userId } = await insertBySql<{ id: number }>(t.postgres)`
      INSERT INTO app_user (email, password_hash, firstname, lastname, crewcode, api_key)
      VALUES ('p@example.com', 'x', 'P', 'Q', 'PQR', 'API-TEST-TEST-TEST') RETURNING id`);
  });
  afterAll(() => t.close());

  const calculation = async (scenes: Record<string, unknown>): Promise<string> => {
    const publicId = randomUUID();
    await t.postgres.transaction((tx) =>
      calculationWrites(tx).insert({
        publicId,
        userId,
        logId: null,
        kind: 'landingDispatch',
        profile: '738',
        airport: 'EGLL',
        request: { a: 1 },
        result: {},
        scenes,
        createdAt: t.clock.now(),
      }),
    );
    return publicId;
  };

  let draws = 0;
  const draw = (scene: unknown): string => {
    draws++;
    const { colour } = scene as { colour: string };
    return `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="80"><rect width="60" height="80" fill="${colour}"/></svg>`;
  };

  test('Creates SVG, PNG and JPG of every scene, each decodable and of the right size (M-2.9.x3)', async () => {
    const publicId = await calculation({
      factored: { colour: '#ff0000' },
      unfactored: { colour: '#0000ff' },
    });
    await drawCalculation(t, draw, publicId, never);
    for (const [name, red, blue] of [
      ['factored', 255, 0],
      ['unfactored', 0, 255],
    ] as const) {
      for (const format of ['svg', 'png', 'jpg'] as const) {
        const graphic = await graphicRepo(t.postgres.db).find(publicId, name, format);
        expect(graphic).toMatchObject({ name, format, path: `graphics/${publicId}/${name}.${format}` });
        const bytes = (await t.storage.get(graphic?.path ?? '')) ?? new Uint8Array();
        expect(bytes.byteLength).toBe(graphic?.bytes);
        const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
        expect([info.width, info.height]).toEqual([120, 80]);
        const pixel = data.subarray((40 * 120 + 20) * 3, (40 * 120 + 20) * 3 + 3);
        expect(Math.abs((pixel[0] ?? 0) - red)).toBeLessThan(6);
        expect(Math.abs((pixel[2] ?? 0) - blue)).toBeLessThan(6);
        const ground = data.subarray((40 * 120 + 100) * 3, (40 * 120 + 100) * 3 + 3);
        // JPG has no transparency: the empty half is white there, and black without alpha in the others.
        expect(Math.min(...ground) > 250).toBe(format === 'jpg');
      }
    }
  });

  test('Equal scenes are drawn once and have equal bytes (M-2.9.x4)', async () => {
    const scene = { colour: '#00ff00' };
    const publicId = await calculation({ dispatch: scene, factored: scene, unfactored: scene });
    draws = 0;
    await drawCalculation(t, draw, publicId, never);
    expect(draws).toBe(1);
    const etags = await Promise.all(
      ['dispatch', 'factored', 'unfactored'].map(
        async (name) => (await graphicRepo(t.postgres.db).find(publicId, name, 'png'))?.etag,
      ),
    );
    expect(new Set(etags).size).toBe(1);
  });

  test('Draws only what is missing, and notifies listeners when it is done', async () => {
    const publicId = await calculation({ factored: { colour: '#123456' } });
    const listener = new Client({ connectionString: t.databaseUrl });
    await listener.connect();
    const heard: string[] = [];
    listener.on('notification', ({ payload }) => void heard.push(payload ?? ''));
    await listener.query('LISTEN graphic_drawn');
    await drawCalculation(t, draw, publicId, never);
    await listener.query('SELECT 1');
    expect(heard).toEqual([publicId, publicId]);
    draws = 0;
    await drawCalculation(t, draw, publicId, never);
    expect(draws).toBe(0);
    await runSql(t.postgres)`DELETE FROM graphic WHERE path = ${`graphics/${publicId}/factored.png`}`;
    await drawCalculation(t, draw, publicId, never);
    expect(draws).toBe(1);
    expect(await graphicRepo(t.postgres.db).find(publicId, 'factored', 'png')).not.toBeNull();
    await listener.end();
  });

  test('An unknown calculation is never retried, a full disk is', async () => {
    await expect(drawCalculation(t, draw, randomUUID(), never)).rejects.toMatchObject({
      name: 'Unrecoverable',
    });
    const publicId = await calculation({ factored: { colour: '#000000' } });
    const full = { ...t.storage, put: () => Promise.reject(new Error('ENOSPC: no space left on device')) };
    await expect(drawCalculation({ ...t, storage: full }, draw, publicId, never)).rejects.toThrow('ENOSPC');
    expect(await graphicRepo(t.postgres.db).find(publicId, 'factored', 'svg')).toBeNull();
  });

  test('Lists scenes and reports the unfinished ones for the sweep (G-43)', async () => {
    const publicId = await calculation({ factored: { colour: '#000000' } });
    const repo = graphicRepo(t.postgres.db);
    expect(await repo.hasScene(publicId, 'factored')).toBe(true);
    expect(await repo.hasScene(publicId, 'other')).toBe(false);
    const from = new Date(t.clock.now().getTime() - 60_000);
    const to = new Date(t.clock.now().getTime() + 60_000);
    expect(await repo.unfinished(from, to, 100)).toContain(publicId);
    await drawCalculation(t, draw, publicId, never);
    expect(await repo.unfinished(from, to, 100)).not.toContain(publicId);
    expect(await repo.unfinished(to, to, 100)).toEqual([]);
    await rm(join(t.config.DATA_DIR, 'files'), { recursive: true });
  });
});
