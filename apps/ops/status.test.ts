import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { version } from '#platform/command-line.ts';
import { backupWrites } from '#store/postgres/backup/backups.ts';
import { feedRepo } from '#store/postgres/feeds/feeds.ts';
import { feedStatusWrites } from '#store/postgres/feeds/status.ts';
import { addSeconds } from '#domain/time.ts';
import { testContext, testFolder } from '#test/harness.ts';
import type { TestContext } from '#test/harness.ts';
import { deadLetters } from '#test/support/dead-letter.ts';
import { ops } from '#test/support/ops.ts';
import { runSql } from '#test/support/sql.ts';
import metar from '../scheduler/feeds/metar.ts';

let t: TestContext;
beforeAll(async () => {
  t = await testContext({ env: { DATA_DIR: await testFolder() } });
});
afterAll(() => t.close());

const lines = async () => {
  const { status, json } = await ops(t, 'status --json');
  expect(status).toBe(0);
  const list = json['status'] as { part: string; state: string; next: string | null }[];
  return new Map(list.map(({ part, state, next }) => [part, { state, next }]));
};

test('The status shows everything on one screen, with the command for what needs attention', async () => {
  await t.postgres.transaction((tx) => feedStatusWrites(tx).declare([metar]));
  await deadLetters(t, ['no such mailbox']);
  const found = await lines();
  expect([...found.keys()].toSorted()).toEqual([
    'backup',
    'checklists',
    'disk',
    'feeds',
    'mails',
    'messages',
    'orders',
    'processes',
    'queues',
    'reports',
    'requests',
    'version',
  ]);
  expect(await feedRepo(t.postgres.db).state('metar')).toBeNull();
  expect(found.get('feeds')).toEqual({ state: '0 of 1 up; metar is down', next: 'feeds show metar' });
  expect(found.get('queues')).toEqual({
    state: expect.stringMatching(/, 1 failed for good$/) as unknown,
    next: 'jobs list',
  });
  expect(found.get('mails')).toEqual({ state: '0 waiting, 0 sending, 0 answered, 0 refused', next: null });
  expect(found.get('messages')).toEqual({ state: '0 parked', next: null });
  expect(found.get('version')).toEqual({
    state: expect.stringMatching(/; schema fits$/) as unknown,
    next: null,
  });
  expect(found.get('processes')).toEqual({ state: 'none connected', next: 'npm start' });
  const { out } = await ops(t, 'status');
  expect(out).toContain('feeds show metar');
});

test('A mail refused by its server becomes a dead letter that a search finds', async () => {
  await runSql(t.postgres)`
    INSERT INTO outgoing_mail (key, recipient, subject, body_text, created_at, state)
    VALUES ('refused', 'nobody@example.org', 'S', 'T', now(), 'refused')`;
  const { next } = (await lines()).get('mails') ?? {};
  expect(next).toBe('jobs list --search mail.send');
  expect((await ops(t, `${next} --json`)).json['dead']).toHaveLength(1);
  expect((await ops(t, 'jobs list --search nothing --json')).json['dead']).toEqual([]);
});

test('A missing backup, or one older than a day, is reported as due', async () => {
  expect((await lines()).get('backup')).toEqual({
    state: 'none has been restored on trial',
    next: 'set BACKUP_URL, or backup --out FILE',
  });
  const takenAt = addSeconds(t.clock.now(), -3 * 3_600);
  await t.postgres.transaction((tx) =>
    backupWrites(tx).add({ file: '/backups/a.tar.zst', takenAt, bytes: 12_300_000 }),
  );
  expect((await lines()).get('backup')).toEqual({
    state: '3 hours old: /backups/a.tar.zst, 12.3 MB, restored on trial; none is scheduled',
    next: null,
  });
  t.clock.advance(22 * 3_600);
  expect((await lines()).get('backup')).toMatchObject({ next: 'set BACKUP_URL, or backup --out FILE' });
});

test('Each tier is listed with its version, and one with another version needs a restart', async () => {
  const connected = (applicationName: string) => {
    const client = new Client({ connectionString: t.config.DATABASE_URL, application_name: applicationName });
    return client.connect().then(() => client);
  };
  const clients = [await connected(`api ${version}`)];
  expect((await lines()).get('processes')).toEqual({ state: `api ${version} (1 connections)`, next: null });
  clients.push(await connected('workers 0.0.9'));
  expect((await lines()).get('processes')).toEqual({
    state: `api ${version} (1 connections), workers 0.0.9 (1 connections)`,
    next: `restart the processes that do not run ${version}`,
  });
  for (const client of clients) await client.end();
});
