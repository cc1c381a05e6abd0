/** A repeat of a creation with the same `clientId` creates nothing, however late and from wherever it comes. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadRegistries } from '#api/registry.ts';
import { sql } from '#store/postgres/sql.ts';
import type { Sql } from '#store/postgres/sql.ts';
import type { TestUser } from '../api.ts';
import { importAirports } from '../support/airports.ts';
import { at, refusal } from '../support/answers.ts';
import { documentOf } from '../support/checklists.ts';
import { libraryApi } from '../support/library.ts';
import type { LibraryApi } from '../support/library.ts';
import { planTree } from '../support/ofp.ts';
import { planOf } from '../support/plans.ts';
import { runSql } from '../support/sql.ts';

let library: LibraryApi;
let user: TestUser;
let ofpId: string;
beforeAll(async () => {
  library = await libraryApi();
  user = await library.member();
  ofpId = await planOf(library.api, user);
  await importAirports(library.api.context, ['KJFK']);
});
afterAll(() => library.close());

const call = (query: string, data: Record<string, unknown> = {}) => library.call(query, user, data);
const profileData = { weight: { mslw: 64_000 } };

/** Data created by each query, and the path of its id in the answer. */
const creations: Record<string, { data: () => Record<string, unknown>; id: readonly string[]; table: Sql }> =
  {
    checklistImport: {
      data: () => ({ format: 'JSON', content: JSON.stringify(documentOf()) }),
      id: ['data', 'checklistId'],
      table: sql`checklist`,
    },
    checklistSave: {
      data: () => ({ name: 'Mine', checklist: documentOf() }),
      id: ['data', 'checklistId'],
      table: sql`checklist`,
    },
    fleetSave: {
      data: () => ({ registration: 'D-ONCE', basedOnProfile: 'A320-214', profileData }),
      id: ['data', 'registration'],
      table: sql`fleet_profile`,
    },
    libraryFolderCreate: {
      data: () => ({ name: 'Charts' }),
      id: ['folder', 'id'],
      table: sql`library_folder`,
    },
    libraryUpload: {
      data: () => ({ url: 'https://vimeo.com/76979871' }),
      id: ['fileId'],
      table: sql`library_file`,
    },
    ofpShare: {
      data: () => ({ ofpId, sharedWithEmail: 'fo@example.org' }),
      id: ['share', 'id'],
      table: sql`ofp_share`,
    },
    ofpImport: { data: () => ({ source: 'json', document: planTree() }), id: ['ofpId'], table: sql`ofp` },
    performance: {
      data: () => ({
        requestType: 'LANDING',
        aircraft: { file: '737-800-7B26' },
        airport: 'KJFK',
        runway: '04L',
        weight: { landingWeight: 60_000 },
      }),
      id: ['calculationId'],
      table: sql`calculation`,
    },
  };

/** Rows of a table, and mails. */
const counted = async (table: Sql): Promise<number> =>
  (
    await library.api.context.postgres.db.one<{ count: number }>(sql`
      SELECT (SELECT count(*) FROM ${table}) + (SELECT count(*) FROM outgoing_mail) AS count`)
  ).count;

test('Every query that creates something for an account takes a clientId', async () => {
  const { operations } = (await loadRegistries()).queries;
  expect(Object.keys(creations).toSorted()).toEqual(
    operations.flatMap(({ name, creates }) => (creates ? [name] : [])).toSorted(),
  );
});

test.each(Object.entries(creations))(
  'Of parallel and later calls of %s with the same clientId one creates the row, the others answer its id and that it already existed',
  async (query, { data, id, table }) => {
    const clientId = `pad-1:${query}`;
    const before = await counted(table);
    // One import of an account runs, and one waits for it.
    const parallel = query === 'ofpImport' ? [1, 2] : [1, 2, 3, 4];
    const answers = await Promise.all(parallel.map(() => call(query, { ...data(), clientId })));
    expect(answers.map(({ status }) => status)).toEqual(parallel.map(() => 200));
    const after = await counted(table);
    expect(after - before).toBe(query === 'ofpShare' ? 2 : 1);
    answers.push(await call(query, { ...data(), clientId }));
    expect(await counted(table)).toBe(after);
    expect(new Set(answers.map((answer) => at(answer, ...id))).size).toBe(1);
    const alreadyAt = [...id.slice(0, id[0] === 'data' ? 1 : 0), 'already'];
    const first = answers.filter((answer) => at(answer, ...alreadyAt) !== true);
    expect([first.length, answers.length]).toEqual([1, parallel.length + 1]);
  },
);

test('A clientId whose row was deleted creates nothing again; it is only for new rows of its own account', async () => {
  const clientId = 'pad-1:deleted';
  const data = { name: 'Mine', checklist: documentOf(), clientId };
  const checklistId = at(await call('checklistSave', data), 'data', 'checklistId');
  expect(refusal(await call('checklistSave', { ...data, checklistId }))).toEqual([400, 'INVALID_INPUT']);
  expect(refusal(await call('checklistSave', { ...data, clientId: 'ü' }))).toEqual([400, 'INVALID_INPUT']);
  const other = await library.api.user();
  const theirs = await library.call('checklistSave', other, data);
  expect(at(theirs, 'data', 'checklistId')).not.toBe(checklistId);
  expect((await call('checklistDelete', { checklistId })).status).toBe(200);
  expect(refusal(await call('checklistSave', data))).toEqual([409, 'DELETED_SINCE']);
  const back = await call('checklistSave', { ...data, clientId: null, checklistId, ifDeleted: 'recreate' });
  expect(back.status).toBe(200);
});

test('A repeated calculation gets the same answer and is charged once', async () => {
  const { data } = creations['performance'] ?? { data: () => ({}) };
  const first = await call('performance', { ...data(), clientId: 'pad-1:again' });
  const again = await call('performance', {
    ...data(),
    clientId: 'pad-1:again',
    weight: { landingWeight: 1 },
  });
  expect(again.status).toBe(200);
  const { already, ...same } = again.body;
  expect([already, same]).toEqual([true, first.body]);
  await runSql(library.api.context.postgres)`DELETE FROM calculation WHERE user_id = ${user.id}`;
  expect(refusal(await call('performance', { ...data(), clientId: 'pad-1:again' }))).toEqual([
    409,
    'DELETED_SINCE',
  ]);
});
