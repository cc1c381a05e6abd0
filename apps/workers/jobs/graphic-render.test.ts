import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { graphicRepo } from '#store/postgres/performance/graphics.ts';
import type { PictureId } from '#store/postgres/performance/graphics.ts';
import { sql } from '#store/postgres/sql.ts';
import type { GraphicName, RasterFormat } from '#domain/performance/graphic.ts';
import { testContext } from '#test/harness.ts';
import type { TestContext } from '#test/harness.ts';
import { askPicture, dispatchLanding, inflightLanding, insertLanding } from '#test/support/landing.ts';
import { insertBySql, runSql } from '#test/support/sql.ts';
import { drawPicture } from './graphic-render.ts';
import { rasterise } from '../rasterise.ts';

const unknown = '00000000-0000-4000-8000-000000000000';

describe('drawing pictures', () => {
  let t: TestContext;
  let userId: number;

  beforeAll(async () => {
    t = await testContext();
    ({ id: userId } = await insertBySql<{ id: number }>(t.postgres)`
      INSERT INTO app_user (email, password_hash, firstname, lastname, crewcode)
      VALUES ('p@example.com', 'x', 'P', 'Q', 'PQR') RETURNING id`);
  });
  afterAll(() => t.close());

  const calculation = (landing = inflightLanding) =>
    t.postgres.transaction((tx) => insertLanding(tx, userId, t.clock.now(), landing));

  const find = (id: PictureId) => graphicRepo(t.postgres.db).picture(id);

  const ask = async (publicId: string, name: GraphicName, format: RasterFormat): Promise<PictureId> => {
    const id = { publicId, name, format };
    await t.postgres.transaction((tx) => askPicture(tx, t, id, t.clock.now()));
    return id;
  };

  test('PNG and JPG are drawn from the stored calculation and can be decoded (M-2.9.x3)', async () => {
    const { publicId } = await calculation();
    const files = new Map<string, Buffer>();
    for (const name of ['factored', 'unfactored'] as const) {
      for (const format of ['png', 'jpg'] as const) {
        const id = await ask(publicId, name, format);
        expect(await drawPicture(t, id)).toBe('drawn');
        const picture = await find(id);
        expect(picture).toMatchObject({
          name,
          format,
          asks: 1,
          path: `graphics/${publicId}/${name}.${format}`,
        });
        const bytes = Buffer.from((await t.storage.get(picture?.path ?? '')) ?? []);
        const { format: kind, width, height } = await sharp(bytes).metadata();
        expect([kind, width]).toEqual([format === 'jpg' ? 'jpeg' : 'png', 1_200]);
        expect(height).toBeGreaterThan(400);
        files.set(`${name}.${format}`, bytes);
      }
    }
    expect(files.get('factored.png')?.equals(files.get('unfactored.png') ?? Buffer.alloc(0))).toBe(false);
  });

  test('Dark PNG and JPG are dark, and at dispatch the three dark names are one picture', async () => {
    const { publicId } = await calculation();
    const corner = async (name: GraphicName, format: RasterFormat) => {
      const id = await ask(publicId, name, format);
      expect(await drawPicture(t, id)).toBe('drawn');
      const bytes = Buffer.from((await t.storage.get((await find(id))?.path ?? '')) ?? []);
      const { data } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
      return Math.max(...data.subarray(0, 3));
    };
    for (const format of ['png', 'jpg'] as const) {
      expect(await corner('factored-dark', format)).toBeLessThan(40);
      expect(await corner('factored', format)).toBeGreaterThan(240);
    }
    const { publicId: dispatched } = await calculation(dispatchLanding);
    const id = await ask(dispatched, 'unfactored-dark', 'png');
    expect(await drawPicture(t, id)).toBe('drawn');
    const path = `graphics/${dispatched}/dispatch-dark.png`;
    expect((await find({ ...id, name: 'factored-dark' }))?.path).toBe(path);
    expect((await find({ ...id, name: 'factored' }))?.path).toBeNull();
  });

  test('JPG has no transparency, so empty parts are white', async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="80"><rect width="60" height="80" fill="#ff0000"/></svg>`;
    for (const format of ['png', 'jpg'] as const) {
      const bytes = await rasterise(svg, format);
      const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
      expect([info.width, info.height]).toEqual([180, 120]);
      const at = (x: number) => [...data.subarray((60 * 180 + x) * 3, (60 * 180 + x) * 3 + 3)];
      expect(at(20)[0]).toBeGreaterThan(248);
      expect(at(20)[1]).toBeLessThan(6);
      expect(Math.min(...at(150)) > 250).toBe(format === 'jpg');
    }
  });

  test('At dispatch the three names are one picture, drawn once (M-2.9.x4)', async () => {
    const { id: calculationId, publicId } = await calculation(dispatchLanding);
    const id = await ask(publicId, 'factored', 'png');
    expect(await drawPicture(t, id)).toBe('drawn');
    const pictures = await Promise.all(
      (['dispatch', 'factored', 'unfactored'] as const).map((name) => find({ ...id, name })),
    );
    expect(new Set(pictures.map((picture) => picture?.path))).toEqual(
      new Set([`graphics/${publicId}/dispatch.png`]),
    );
    const rows = await t.postgres.db.any(
      sql`SELECT 1 AS one FROM graphic WHERE calculation_id = ${calculationId}`,
    );
    expect(rows).toHaveLength(1);
  });

  test('A second run does nothing', async () => {
    const { publicId } = await calculation();
    const id = await ask(publicId, 'factored', 'png');
    expect(await drawPicture(t, id)).toBe('drawn');
    const before = await find(id);
    expect(await drawPicture(t, id)).toBe('not wanted');
    expect(await find(id)).toEqual(before);
  });

  test('Two concurrent runs leave one picture', async () => {
    const { publicId } = await calculation();
    const id = await ask(publicId, 'unfactored', 'jpg');
    const outcomes = await Promise.all([drawPicture(t, id), drawPicture(t, id)]);
    expect(outcomes.toSorted()).toEqual(['drawn', 'not wanted']);
    expect(await t.storage.get(`graphics/${publicId}/unfactored.jpg`)).not.toBeNull();
  });

  test('A picture never requested, unknown or expired is not drawn and leaves no file', async () => {
    const { id: calculationId, publicId } = await calculation();
    const name = 'factored';
    expect(await drawPicture(t, { publicId, name, format: 'png' })).toBe('not wanted');
    expect(await drawPicture(t, { publicId: unknown, name, format: 'png' })).toBe('not wanted');
    const id = await ask(publicId, name, 'png');
    const expire = async () => {
      await runSql(t.postgres)`DELETE FROM graphic WHERE calculation_id = ${calculationId}`;
      await runSql(t.postgres)`UPDATE calculation SET drawing = NULL WHERE id = ${calculationId}`;
    };
    const put: typeof t.storage.put = async (...file) => {
      await t.storage.put(...file);
      await expire();
    };
    expect(await drawPicture({ ...t, storage: { ...t.storage, put } }, id)).toBe('not wanted');
    expect(await t.storage.get(`graphics/${publicId}/factored.png`)).toBeNull();
  });

  test('A full disk is an error that the queue retries', async () => {
    const { publicId } = await calculation();
    const id = await ask(publicId, 'factored', 'png');
    const full = { ...t.storage, put: () => Promise.reject(new Error('ENOSPC: no space left on device')) };
    await expect(drawPicture({ ...t, storage: full }, id)).rejects.toThrow('ENOSPC');
    expect(await find(id)).toMatchObject({ asks: 1, path: null });
    expect(await drawPicture(t, id)).toBe('drawn');
    await rm(join(t.config.DATA_DIR, 'files'), { recursive: true });
  });
});
