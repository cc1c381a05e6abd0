import { userInfo } from 'node:os';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditRepo } from '#data/postgres/audit/log.ts';
import { feedStatusWrites } from '#data/postgres/feeds/status.ts';
import type { AuditEntry } from '#domain/audit/entry.ts';
import { testContext, testFolder } from '#test/harness.ts';
import type { TestContext } from '#test/harness.ts';
import { importAirports } from '#test/support/airports.ts';
import { deadLetters } from '#test/support/dead-letter.ts';
import { pdfOf } from '#test/support/documents.ts';
import { ops } from '#test/support/ops.ts';
import { insertBySql, runSql } from '#test/support/sql.ts';
import { nouns } from './nouns.ts';

/** Verbs that change nothing, or not in the database. */
const readers = [
  'airport exits export',
  'airport list',
  'airport runways export',
  'announcement list',
  'audit list',
  'checklist list',
  'checklist reports',
  'checklist show',
  'console list',
  'devkey list',
  'endpoint list',
  'endpoint show',
  'feeds',
  'feeds list',
  'feeds show',
  'fleet list',
  'jobs list',
  'jobs show',
  'library list',
  'product list',
  'promo list',
  'report list',
  'report show',
  'secrets list',
  'status',
  'subscription list',
  'subscription show',
  'subscription sign',
  'user list',
  'user show',
  'va admin list',
  'va list',
  'va member list',
  'va show',
  'webhooks list',
  'webhooks show',
];

/** Verbs without a database to leave a row in. */
const alone = ['restore'];

let t: TestContext;
const ids = {
  checklist: '',
  checklistReport: 0,
  profile: 0,
  message: 0,
  report: 0,
  retried: '',
  discarded: '',
};
let folder: string;
beforeAll(async () => {
  t = await testContext();
  folder = await testFolder();
  await importAirports(t, ['KBOS']);
  await writeFile(join(folder, 'guide.pdf'), pdfOf('guide'));
  await writeFile(join(folder, 'runways.csv'), 'icao,ident,lda_m\nKBOS,04R,2400\n');
  await writeFile(join(folder, 'exits.csv'), 'icao,ident,name,distance_m\nKBOS,04R,Z1,900\n');
  const { id: userId } = await insertBySql<{ id: number }>(t.postgres)`
    INSERT INTO app_user (email, password_hash, firstname, lastname, crewcode, api_key, pin)
    VALUES ('first@example.org', 'hash-of-first', 'Ada', 'Pilot', 'ADA', 'API-FIRST-KEY', '4711') RETURNING id`;
  ids.checklist = (
    await insertBySql<{ id: string }>(t.postgres)`
      INSERT INTO checklist (user_id, name, version, document, share_community, shared_at, created_at, updated_at)
      VALUES (${userId}, 'C', '1', '{}', true, now(), now(), now()) RETURNING id`
  ).id;
  ids.checklistReport = (
    await insertBySql<{ id: number }>(t.postgres)`
      INSERT INTO checklist_report (checklist_id, user_id, reason, revision, created_at)
      VALUES (${ids.checklist}, ${userId}, 'OTHER', 1, now()) RETURNING id`
  ).id;
  ids.profile = (
    await insertBySql<{ id: number }>(t.postgres)`
      INSERT INTO fleet_profile (user_id, registration, standard_id, storage_key, created_at, updated_at)
      VALUES (${userId}, 'N1', 'A320-214', 'k', now(), now()) RETURNING id`
  ).id;
  ids.message = (
    await insertBySql<{ id: number }>(t.postgres)`
      INSERT INTO gateway_event (gateway, event, event_id, raw, received_at, occurred_at, state, reason)
      SELECT code, 'ipn', 'e1', 'secret text', now(), now(), 'parked', 'no account' FROM gateway WHERE kind = 'card'
      RETURNING id`
  ).id;
  ids.report = (
    await insertBySql<{ id: number }>(t.postgres)`
      INSERT INTO problem_report (log_id, user_id, severity, description, created_at)
      VALUES (1, ${userId}, 'HIGH', 'It is wrong', now()) RETURNING id`
  ).id;
  await t.postgres.transaction((tx) =>
    feedStatusWrites(tx).declare([
      { name: 'metar', schedule: '* * * * *', graceMinutes: 5, staleMinutes: 20 },
    ]),
  );
  const errors = ['no luck', '550 <ada@example.org>: no luck either'];
  [ids.retried = '', ids.discarded = ''] = await deadLetters(t, errors);
});
afterAll(() => t.close());

/** Action, its flags, and the kind and id of what it changes. */
const lines = (): readonly (readonly [string, string, string, string])[] => [
  ['console token', '--name ada', 'console token', '1'],
  ['console revoke', '--id 1', 'console token', '1'],
  ['feeds run', '--feed metar', 'feed', 'metar'],
  ['devkey create', '--name App --permissions weather', 'developer key', '1'],
  ['devkey update', '--id 1 --name Application', 'developer key', '1'],
  ['endpoint add', '--devkey 1 --url https://hooks.example/efb', 'webhook endpoint', '1'],
  ['endpoint rotate', '--id 1', 'webhook endpoint', '1'],
  ['endpoint test', '--id 1', 'webhook endpoint', '1'],
  ['endpoint replay', '--delivery 1', 'webhook endpoint', '1'],
  ['endpoint enable', '--id 1', 'webhook endpoint', '1'],
  ['endpoint remove', '--id 1', 'webhook endpoint', '1'],
  ['devkey revoke', '--id 1', 'developer key', '1'],
  ['devkey delete', '--id 1', 'developer key', '1'],
  ['user create', '--email a@example.org --password-stdin', 'user', '2'],
  ['user disable', '--email a@example.org', 'user', '2'],
  ['user enable', '--email a@example.org', 'user', '2'],
  ['user verify', '--email a@example.org', 'user', '2'],
  ['user rotate-api-key', '--email a@example.org', 'user', '2'],
  ['user lock-settings', '--email a@example.org', 'user', '2'],
  ['user unlock-settings', '--email a@example.org', 'user', '2'],
  ['user gift', '--email a@example.org --calculations 5', 'user', '2'],
  ['product create', '--code EFB_X_M --title X --level 1 --duration-days 30 --price 5', 'product', 'EFB_X_M'],
  ['product update', '--code EFB_X_M --price 6', 'product', 'EFB_X_M'],
  ['promo create', '--code hello --percent 10', 'promo code', 'HELLO'],
  ['promo disable', '--code hello', 'promo code', 'HELLO'],
  ['subscription grant', '--email a@example.org --product EFB_X_M', 'subscription', '1'],
  ['subscription extend', '--id 1 --days 3', 'subscription', '1'],
  ['subscription gift', '--email a@example.org --calculations 5', 'user', '2'],
  ['subscription cancel', '--id 1', 'subscription', '1'],
  ['webhooks retry', `--id ${ids.message}`, 'message', String(ids.message)],
  ['va create', '--name Air', 'airline', '1'],
  ['va update', '--va Air --library-quota-mb 5', 'airline', '1'],
  ['va member add', '--va Air --email a@example.org --active', 'membership', '1:2'],
  ['va admin add', '--va Air --email a@example.org --scope VA_ONLY', 'admin role', '2'],
  ['va admin deactivate', '--email a@example.org', 'admin role', '2'],
  ['va admin activate', '--email a@example.org', 'admin role', '2'],
  ['va admin remove', '--email a@example.org', 'admin role', '2'],
  ['va member remove', '--va Air --email a@example.org', 'membership', '1:2'],
  ['va delete', '--va Air', 'airline', '1'],
  ['checklist dismiss', `--id ${ids.checklistReport}`, 'checklist report', String(ids.checklistReport)],
  ['checklist unshare', `--id ${ids.checklist}`, 'checklist', ids.checklist],
  ['checklist delete', `--id ${ids.checklist}`, 'checklist', ids.checklist],
  ['fleet recommend', `--id ${ids.profile}`, 'fleet profile', String(ids.profile)],
  ['fleet recommend off', `--id ${ids.profile}`, 'fleet profile', String(ids.profile)],
  ['jobs retry', `--id ${ids.retried}`, 'dead letter', ids.retried],
  ['jobs discard', `--id ${ids.discarded}`, 'dead letter', ids.discarded],
  ['report close', `--id ${ids.report}`, 'report', String(ids.report)],
  ['airport efp set', '--icao KBOS --runway 04R --text Left', 'airport', 'KBOS'],
  ['airport efp clear', '--icao KBOS --runway 04R', 'airport', 'KBOS'],
  ['airport declared set', '--icao KBOS --runway 04R --lda-m 2500', 'airport', 'KBOS'],
  ['airport declared clear', '--icao KBOS --runway 04R', 'airport', 'KBOS'],
  ['airport macg set', '--icao KBOS --runway 04R --percent 4', 'airport', 'KBOS'],
  ['airport macg clear', '--icao KBOS --runway 04R', 'airport', 'KBOS'],
  ['airport exits set', '--icao KBOS --runway 04R --name A1 --distance-m 900', 'airport', 'KBOS'],
  ['airport exits remove', '--icao KBOS --runway 04R --name A1', 'airport', 'KBOS'],
  ['airport runways import', `--file ${join(folder, 'runways.csv')}`, 'airport', 'many'],
  ['airport exits import', `--file ${join(folder, 'exits.csv')}`, 'airport', 'many'],
  ['announcement publish', '--title News --body Text', 'announcement', '1'],
  ['announcement withdraw', '--id 1', 'announcement', '1'],
  ['announcement restore', '--id 1', 'announcement', '1'],
  ['announcement expire', '--id 1', 'announcement', '1'],
  ['library put', `--owner system --file ${join(folder, 'guide.pdf')}`, 'library file', '1'],
  ['library remove', '--owner system --id 1', 'library file', '1'],
  ['backup', `--unchecked --out ${join(folder, 'backup.tar.zst')}`, 'backup', join(folder, 'backup.tar.zst')],
  ['secrets rotate', '', 'secrets', 'stored'],
  ['user delete', '--email a@example.org', 'user', '2'],
];

const entries = (limit = 1_000) => auditRepo(t.postgres.db).list({}, limit);

test('Every verb that changes something leaves one row with who, what, before and after; the others leave none (G-05)', async () => {
  const ran: string[] = [];
  const unchanged: string[] = [];
  for (const [action, flags, kind, subject] of lines()) {
    const before = await entries();
    const { status, err } = await ops(t, `${action} ${flags}`);
    expect([action, status, err]).toEqual([action, 0, '']);
    const [entry, ...older] = await entries();
    expect(older).toEqual(before);
    expect(entry).toMatchObject({
      who: expect.stringMatching(/^cli:./),
      at: t.clock.now(),
      action,
      kind,
      subject,
      requestId: null,
    });
    unchanged.push(...(isDeepStrictEqual(entry?.before, entry?.after) ? [action] : []));
    ran.push(action);
  }
  // What they change is done later, by a job, is a secret, or was so already.
  expect(unchanged).toEqual([
    'feeds run',
    'endpoint test',
    'endpoint replay',
    'endpoint enable',
    'user rotate-api-key',
    'webhooks retry',
  ]);
  const verbs = nouns.flatMap(({ name, verbs: of }) =>
    Object.keys(of).map((path) => `${name} ${path}`.trim()),
  );
  expect([...ran, ...readers, ...alone].toSorted()).toEqual(verbs.toSorted());
});

const entryOf = async (action: string): Promise<AuditEntry | undefined> =>
  (await entries()).find((entry) => entry.action === action);

test('The states name what changed, and hold neither secrets nor personal data', async () => {
  expect(await entryOf('user create')).toMatchObject({ before: null, after: { rank: 'CAPT' } });
  expect(await entryOf('user disable')).toMatchObject({
    who: `cli:${process.env['SUDO_USER'] ?? userInfo().username}`,
    before: { disabled_at: null },
    after: { disabled_at: '2026-09-16T12:00:00.000Z' },
  });
  expect(await entryOf('user gift')).toMatchObject({ before: { gifts: null }, after: { gifts: 5 } });
  expect(await entryOf('user delete')).toMatchObject({ before: { id: 2 }, after: null });
  expect(await entryOf('product update')).toMatchObject({
    before: { price_minor: 500 },
    after: { price_minor: 600 },
  });
  expect(await entryOf('jobs discard')).toMatchObject({
    before: { job: 'mail.send', error: '550 <[address]>: no luck either', state: 'dead' },
    after: { state: 'discarded' },
  });
  const texts = JSON.stringify(await entries());
  for (const secret of ['secret text', 'hash-of', '4711', 'example.org', 'argon2', 'API-FIRST'])
    expect(texts).not.toContain(secret);
});

test('A change that fails, or whose row cannot be written, is not made', async () => {
  const before = await entries();
  expect((await ops(t, 'user disable --email nobody@example.org')).status).toBe(1);
  expect((await ops(t, 'promo disable --code UNKNOWN')).status).toBe(1);
  expect((await ops(t, 'report close --id 999')).status).toBe(1);
  await runSql(t.postgres)`ALTER TABLE audit ADD CHECK (action <> 'user disable') NOT VALID`;
  expect((await ops(t, 'user disable --email first@example.org')).status).toBe(1);
  const { json } = await ops(t, 'user show --email first@example.org --json');
  expect(json).toMatchObject({ user: { isDisabled: false } });
  expect(await entries()).toEqual(before);
});

test('Audit list filters, shows what changed in a line, and has the states as JSON', async () => {
  const listed = async (flags: string) => {
    const { json } = await ops(t, `audit list --json ${flags}`);
    return (json['audit'] as AuditEntry[]).map(({ action }) => action);
  };
  expect(await listed('--kind product')).toEqual(['product update', 'product create']);
  expect(await listed('--subject EFB_X_M --limit 1')).toEqual(['product update']);
  expect(await listed('--who CLI: --action revoke')).toEqual(['devkey revoke', 'console revoke']);
  expect(await listed('--who console:')).toEqual([]);
  expect(await listed('--since 2026-09-17')).toEqual([]);
  expect((await listed('--since 2026-09-16T12:00:00Z')).length).toBe((await entries()).length);
  const { out } = await ops(t, 'audit list --kind product');
  expect(out).toContain('price_minor: 500 -> 600');
  expect(out).toContain('product EFB_X_M');
  expect(out).toMatch(/product create.*created/);
  expect((await ops(t, 'audit list --since yesterday')).status).toBe(2);
  expect((await ops(t, 'audit list --kind planet')).status).toBe(2);
});
