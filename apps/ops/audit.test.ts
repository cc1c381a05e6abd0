import { mkdir, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditRepo, digestOf } from '#store/postgres/audit/audit.ts';
import type { AuditEntry } from '#domain/audit/entry.ts';
import { testContext, testFolder } from '#test/harness.ts';
import type { TestContext } from '#test/harness.ts';
import { feedFiles } from '#test/support/feed-files.ts';
import { operatorLines } from '#test/support/operator-lines.ts';
import type { OperatorLine } from '#test/support/operator-lines.ts';
import { ops } from '#test/support/ops.ts';
import { runSql } from '#test/support/sql.ts';
import { nouns } from '#operator/nouns.ts';

/** Local verbs that change nothing. */
const readers = ['subscription sign'];

let t: TestContext;
let lines: readonly OperatorLine[];
beforeAll(async () => {
  const file = join(await testFolder(), 'metars');
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, (await feedFiles(new Date()))['metar']?.good ?? '');
  t = await testContext({ env: { METAR_URL: pathToFileURL(file).href } });
  lines = await operatorLines(t);
});
afterAll(() => t.close());

const entries = (limit = 1_000) => auditRepo(t.postgres.db).list({}, limit);

test('Every changing verb leaves one row with who, what, before and after, and the others leave none (G-05)', async () => {
  const ran: string[] = [];
  const unchanged: string[] = [];
  for (const [action, flags, kind, subject] of lines) {
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
  // Verbs whose change is made later by a job, is secret, or had already been made.
  expect(unchanged).toEqual([
    'feeds run',
    'endpoint test',
    'endpoint replay',
    'endpoint enable',
    'user rotate-api-key',
    'webhooks retry',
  ]);
  // A view cannot write, and a restore has no database yet for an audit row.
  const writing = nouns.flatMap(({ name, verbs }) =>
    Object.entries(verbs).flatMap(([path, { type }]) =>
      type === 'view' || type === 'lone' ? [] : [`${name} ${path}`.trim()],
    ),
  );
  expect([...ran, ...readers].toSorted()).toEqual(writing.toSorted());
});

const entryOf = async (action: string): Promise<AuditEntry | undefined> =>
  (await entries()).find((entry) => entry.action === action);

test('The states name what changed, without secrets or personal data', async () => {
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
  for (const secret of ['secret text', 'hash-of', 'example.org', 'argon2'])
    expect(texts).not.toContain(secret);
});

test('The digest of a shown row never begins with a hyphen, so it can be the value of a flag', () => {
  const digests = Array.from({ length: 500 }, (_, revision) => digestOf({ revision }));
  expect(digests.filter((digest) => digest.startsWith('-'))).toEqual([]);
});

test('A change that fails, or whose audit row cannot be written, is not made', async () => {
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

test('The audit list can be filtered, shows each change in a line, and has the states as JSON', async () => {
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
  expect(out).toMatch(/ product +EFB_X_M /);
  expect(out).toMatch(/product create.*created/);
  expect((await ops(t, 'audit list --since yesterday')).status).toBe(2);
  expect((await ops(t, 'audit list --kind planet')).status).toBe(2);
});
