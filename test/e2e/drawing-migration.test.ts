/**
 * Calculations stored before drawings were created on demand: their scenes become facts, and they are drawn as
 * before.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { graphicRepo } from '#data/postgres/performance/graphics.ts';
import type { Postgres } from '#data/postgres/pool.ts';
import { sql } from '#data/postgres/sql.ts';
import { landingScenes } from '#drawing/scenes/landing.ts';
import { dispatchLanding, inflightLanding } from '#test/support/landing.ts';
import { schemaBefore } from '#test/support/older-schema.ts';
import type { OlderSchema } from '#test/support/older-schema.ts';
import { insertBySql, runSql } from '#test/support/sql.ts';

const ours = '0024_drawings_on_demand.sql';
const at = new Date('2026-09-16T12:00:00Z');

let older: OlderSchema;
let postgres: Postgres;
beforeAll(async () => {
  older = await schemaBefore(ours);
  postgres = older.postgres;
});
afterAll(() => older.close());

/** The facts of that time, without the words and closed parts of newer ones. */
const factsOf = ({ drawing }: typeof inflightLanding) => {
  if (!drawing) throw new Error('no facts');
  const { words: _words, closed: _closed, ...facts } = drawing;
  return facts;
};

/** Stored scenes had the lengths of the runway only, from its beginning to its end. */
const storedThen = (scenes: ReturnType<typeof drawnScenes>) =>
  Object.fromEntries(
    Object.entries(scenes).map(([name, scene]) => {
      if (!scene || !('runway' in scene)) return [name, scene];
      const { ident, beforeM, ldaM, beyondM } = scene.runway;
      return [name, { ...scene, runway: { ident, displacedM: beforeM, ldaM, beyondM } }];
    }),
  );

const drawnScenes = (landing: typeof inflightLanding) =>
  landingScenes(landing.request as never, landing.result as never, factsOf(landing));

test('Stored scenes become facts that give the same drawings; rows without scenes stay without', async () => {
  const { id: userId } = await insertBySql<{ id: number }>(postgres)`
    INSERT INTO app_user (email, password_hash, firstname, lastname, crewcode, api_key)
    VALUES ('p@example.com', 'x', 'P', 'Q', 'PQR', 'API-TEST-TEST-TEST') RETURNING id`;
  const store = ({ kind, request, result }: typeof inflightLanding, scenes: object) =>
    insertBySql<{ id: number; publicId: string }>(postgres)`
      INSERT INTO calculation (public_id, user_id, kind, profile, airport, request, result, scenes, created_at)
      VALUES (gen_random_uuid(), ${userId}, ${kind}, 'A320-251N', 'EGLL', ${JSON.stringify(request)},
        ${JSON.stringify(result)}, ${JSON.stringify(scenes)}, ${at}) RETURNING id, public_id AS "publicId"`;
  const inflight = await store(inflightLanding, storedThen(drawnScenes(inflightLanding)));
  const dispatch = await store(dispatchLanding, storedThen(drawnScenes(dispatchLanding)));
  const without = await store(dispatchLanding, {});
  await runSql(postgres)`INSERT INTO graphic (calculation_id, name, format, path, etag, bytes, drawn_at)
    VALUES (${inflight.id}, 'factored', 'svg', 'a.svg', 'e', 1, ${at}), (${inflight.id}, 'factored', 'png', 'a.png', 'e', 1, ${at})`;

  expect(await older.upgrade()).toContain(ours);
  const repo = graphicRepo(postgres.db);
  for (const [{ publicId }, landing] of [
    [inflight, inflightLanding],
    [dispatch, dispatchLanding],
  ] as const) {
    const found = await repo.calculation(publicId);
    expect(found?.facts).toEqual(factsOf(landing));
    if (!found || found.kind === 'takeoff') throw new Error('no landing');
    expect(landingScenes(found.request, found.result, found.facts)).toEqual(drawnScenes(landing));
  }
  expect(await repo.calculation(without.publicId)).toBeNull();
  // Existing pictures are served unchanged; those from before the migration count as requested once.
  const id = { publicId: inflight.publicId, name: 'factored', format: 'png' } as const;
  expect(await repo.picture(id)).toMatchObject({ path: 'a.png', asks: 1 });
  const columns = await postgres.db.any(sql`SELECT 1 AS one FROM information_schema.columns
    WHERE table_name = 'calculation' AND column_name = 'scenes'`);
  expect(columns).toEqual([]);
});
