/**
 * Every verb that changes something, in an order in which each can be done:
 *
 *   for (const [action, flags, kind, subject] of await operatorLines(t)) await ops(t, `${action} ${flags}`);
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SubjectKind } from '#domain/audit/entry.ts';
import { auditSnapshotRepo, digestOf } from '#store/postgres/audit/audit.ts';
import { feedStatusWrites } from '#store/postgres/feeds/status.ts';
import { sql } from '#store/postgres/sql.ts';
import { testFolder } from '../harness.ts';
import type { TestContext } from '../harness.ts';
import { importAirports } from './airports.ts';
import { deadLetters } from './dead-letter.ts';
import { pdfOf } from './documents.ts';
import { insertBySql } from './sql.ts';

/** Action, flags, and the kind and id of the changed object. */
export type OperatorLine = readonly [action: string, flags: string, kind: string, subject: string];

/** Fills an empty database. `tokenId` is the id of the next console token. */
export const operatorLines = async (t: TestContext, tokenId = 1): Promise<readonly OperatorLine[]> => {
  const ids = {
    checklist: '',
    checklistReport: 0,
    profile: 0,
    asking: [0, 0],
    message: 0,
    report: 0,
    retried: '',
    discarded: '',
  };
  const folder = await testFolder();
  await importAirports(t, ['KBOS']);
  await writeFile(join(folder, 'guide.pdf'), pdfOf('guide'));
  await writeFile(join(folder, 'runways.csv'), 'icao,ident,lda_m\nKBOS,04R,2400\n');
  const { id: userId } = await insertBySql<{ id: number }>(t.postgres)`
    INSERT INTO app_user (email, password_hash, firstname, lastname, crewcode)
    VALUES ('first@example.org', 'hash-of-first', 'Ada', 'Pilot', 'ADA') RETURNING id`;
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
  const asking = await t.postgres.transaction((tx) =>
    tx.any<{ id: number }>(sql`
      INSERT INTO developer_key (id, name, key_hash, key_hint, owner_id, requested_permissions, requested_at)
      OVERRIDING SYSTEM VALUE SELECT n, 'Asking', convert_to('asking ' || n, 'UTF8'), 'dk_ask', ${userId},
        '{"userInfo": null, "weather": true, "efb": false, "library": false, "subscription": null}', now()
      FROM generate_series(101, 102) n RETURNING id`),
  );
  ids.asking = asking.map(({ id }) => id);
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
  const seen = async (kind: SubjectKind, id = 0) =>
    digestOf(await auditSnapshotRepo(t.postgres.db).of(kind, id));
  return [
    ['console token', '--name ada', 'console token', String(tokenId)],
    ['console revoke', `--id ${tokenId}`, 'console token', String(tokenId)],
    ['feeds run', '--feed metar', 'feed', 'metar'],
    ['devkey create', '--name App --weather yes', 'developer key', '1'],
    ['devkey update', '--id 1 --name Application', 'developer key', '1'],
    ['endpoint add', '--devkey 1 --url https://hooks.example/efb', 'webhook endpoint', '1'],
    ['endpoint rotate', '--id 1', 'webhook endpoint', '1'],
    ['endpoint test', '--id 1', 'webhook endpoint', '1'],
    ['endpoint replay', '--delivery 1', 'webhook endpoint', '1'],
    ['endpoint enable', '--id 1', 'webhook endpoint', '1'],
    ['endpoint remove', '--id 1', 'webhook endpoint', '1'],
    ['devkey revoke', '--id 1', 'developer key', '1'],
    ['devkey delete', '--id 1', 'developer key', '1'],
    [
      'devkey grant',
      `--id ${ids.asking[0]} --seen ${await seen('developer key', ids.asking[0])}`,
      'developer key',
      String(ids.asking[0]),
    ],
    [
      'devkey refuse',
      `--id ${ids.asking[1]} --seen ${await seen('developer key', ids.asking[1])}`,
      'developer key',
      String(ids.asking[1]),
    ],
    ['user create', '--email a@example.org', 'user', '2'],
    ['user grant', '--email a@example.org --product EFB_PRO_M', 'subscription', '1'],
    ['user disable', '--email a@example.org', 'user', '2'],
    ['user enable', '--email a@example.org', 'user', '2'],
    ['user verify', '--email a@example.org', 'user', '2'],
    ['user rotate-api-key', '--email a@example.org', 'user', '2'],
    ['user lock-settings', '--email a@example.org', 'user', '2'],
    ['user unlock-settings', '--email a@example.org', 'user', '2'],
    ['user gift', '--email a@example.org --calculations 5', 'user', '2'],
    [
      'product create',
      '--code EFB_X_M --title X --level 1 --duration-days 30 --price 5',
      'product',
      'EFB_X_M',
    ],
    ['product update', '--code EFB_X_M --price 6', 'product', 'EFB_X_M'],
    ['promo create', '--code hello --percent 10', 'promo code', 'HELLO'],
    ['promo disable', '--code hello', 'promo code', 'HELLO'],
    ['subscription grant', '--email a@example.org --product EFB_X_M', 'subscription', '2'],
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
    [
      'checklist dismiss',
      `--id ${ids.checklistReport} --seen ${await seen('checklist report', ids.checklistReport)}`,
      'checklist report',
      String(ids.checklistReport),
    ],
    ['checklist unshare', `--id ${ids.checklist}`, 'checklist', ids.checklist],
    ['checklist delete', `--id ${ids.checklist}`, 'checklist', ids.checklist],
    ['fleet recommend', `--id ${ids.profile}`, 'fleet profile', String(ids.profile)],
    ['fleet recommend off', `--id ${ids.profile}`, 'fleet profile', String(ids.profile)],
    ['jobs retry', `--id ${ids.retried}`, 'dead letter', ids.retried],
    ['jobs discard', `--id ${ids.discarded}`, 'dead letter', ids.discarded],
    ['report close', `--id ${ids.report}`, 'report', String(ids.report)],
    ['airport runway set', '--icao KBOS --runway 04R --lda-m 2500 --efp-text Left', 'airport', 'KBOS'],
    ['airport exits set', '--icao KBOS --runway 04R --name A1 --distance-m 900', 'airport', 'KBOS'],
    ['airport exits remove', '--icao KBOS --runway 04R --name A1', 'airport', 'KBOS'],
    ['airport import', `--file ${join(folder, 'runways.csv')}`, 'airport', 'many'],
    ['announcement publish', '--title News --body Text', 'announcement', '1'],
    ['announcement withdraw', '--id 1', 'announcement', '1'],
    ['announcement restore', '--id 1', 'announcement', '1'],
    ['announcement expire', '--id 1', 'announcement', '1'],
    ['library put', `--owner system --file ${join(folder, 'guide.pdf')}`, 'library file', '1'],
    ['library remove', '--owner system --id 1', 'library file', '1'],
    [
      'backup',
      `--unchecked --out ${join(folder, 'backup.tar.zst')}`,
      'backup',
      join(folder, 'backup.tar.zst'),
    ],
    ['secrets rotate', '', 'secrets', 'stored'],
    ['user delete', '--email a@example.org', 'user', '2'],
  ];
};
