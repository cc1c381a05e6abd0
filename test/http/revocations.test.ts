/** Every cell of the table of revocations, tried over HTTP. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashOfKey } from '#platform/developer-keys.ts';
import type { JobConsumer } from '#domain/jobs/port.ts';
import { accessEvents, effectOf, issued } from '#domain/access/revocations.ts';
import type { AccessEvent, Effect, Issued } from '#domain/access/revocations.ts';
import { sql } from '#store/postgres/sql.ts';
import fileDelete from '#workers/jobs/file-delete.ts';
import passwordReset from '#workers/jobs/password-reset.ts';
import printDraw from '#workers/jobs/print-draw.ts';
import type { CallOptions } from '../api.ts';
import { testFolder } from '../harness.ts';
import { pdfOf } from '../support/documents.ts';
import { documentNames, issueAccess } from './issued-access.ts';
import type { IssuedScene } from './issued-access.ts';
import { libraryApi } from '../support/library.ts';
import type { LibraryApi } from '../support/library.ts';
import { pressConfirm } from '../support/mailed-links.ts';
import { ops } from '../support/ops.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { runSql } from '../support/sql.ts';
import { until } from '../support/until.ts';

const newPassword = 'battery staple';
const things = Object.keys(issued) as Issued[];
const va = ['--va', 'Ending Air'];

let library: LibraryApi;
let worker: JobConsumer;
let receiver: Receiver;
beforeAll(async () => {
  library = await libraryApi({ env: { WEBHOOKS_TO_PRIVATE_NETWORKS: '1' } });
  receiver = await startReceiver((response) => response.writeHead(204).end());
  const { context } = library.api;
  worker = await context.queues.createConsumer();
  const handlers = [fileDelete, passwordReset, printDraw].map((handler) => handler.bind(context));
  await worker.consume('durable', handlers, 2);
  await run('va create --library-quota-mb 1 --name', 'Ending Air');
  const folder = await testFolder();
  await Promise.all(Object.values(documentNames).map((name) => writeFile(join(folder, name), pdfOf(name))));
  await run('library put --owner system --min-level 1 --file', join(folder, documentNames.level));
  await run('library put --owner va --file', join(folder, documentNames.airline), ...va);
});
afterAll(async () => {
  await worker.stop(5_000);
  await receiver.close();
  await library.close();
});

const run = async (line: string, ...more: string[]): Promise<void> => {
  const { status, err } = await ops(library.api.context, line, ...more);
  if (status !== 0) throw new Error(`ops ${line}: ${err}`);
};

const done = async (query: string, options: CallOptions): Promise<void> => {
  const { status, body } = await library.api.call(query, options);
  if (status !== 200) throw new Error(`${query} answered ${JSON.stringify(body)}`);
};

interface Scene extends IssuedScene {
  devKey: string;
  keyId: number;
}

const happens: Readonly<Record<AccessEvent, (scene: Scene) => Promise<unknown>>> = {
  reset: ({ resetLink, devKey }) => {
    const token = new URLSearchParams(resetLink.split('?')[1]).get('token');
    return done('resetPassword', { devKey, data: { token, password: newPassword } });
  },
  changePassword: ({ token, user }) =>
    done('changePassword', { token, data: { oldPassword: user.password, newPassword } }),
  changeEmail: async ({ emailChangeLinks }) => {
    for (const link of emailChangeLinks) expect((await pressConfirm(library.api, link)).status).toBe(200);
  },
  logout: ({ token }) => done('logout', { token }),
  logoutEverywhere: ({ token }) => done('logoutEverywhere', { token }),
  disable: ({ user }) => run(`user disable --email ${user.email}`),
  delete: async ({ user, deletion, picture }) => {
    await done('deleteAccount', { token: user.token, data: { confirmationToken: deletion } });
    await until('the picture is deleted', async () => (await library.api.fetch(picture)).status === 404);
  },
  keyRevoked: ({ keyId }) => run(`devkey revoke --id ${keyId}`),
  keyReduced: ({ keyId }) =>
    run(
      `devkey update --user-info none --weather no --efb no --library no --subscription none --id ${keyId}`,
    ),
  levelLost: ({ user }) =>
    runSql(library.api.context.postgres)`
      UPDATE subscription SET ends_at = ${library.api.context.clock.now()} WHERE user_id = ${user.id}`,
  airlineLeft: ({ user }) => run(`va member remove --email ${user.email}`, ...va),
};

const sceneWith = async (): Promise<Scene> => {
  const devKey = await library.api.key();
  const { id } = await library.api.context.postgres.db.one<{ id: number }>(
    sql`SELECT id FROM developer_key WHERE key_hash = ${hashOfKey(devKey)}`,
  );
  const scene = await issueAccess({ library, receiver, devKey, newPassword }, ({ email }) =>
    run(`va member add --email ${email}`, ...va),
  );
  return { ...scene, devKey, keyId: id };
};

/** The credentials in `tried` that still grant access, tried in the scene's order because the last ones revoke others. */
const opened = async ({ opens }: Scene, tried: readonly Issued[]): Promise<Set<Issued>> => {
  // A change counts from the next second.
  library.api.context.clock.advance(2);
  const found = new Set<Issued>();
  for (const what of Object.keys(opens) as Issued[])
    if (tried.includes(what) && (await opens[what]())) found.add(what);
  return found;
};

test('Without any event, everything issued grants access', async () => {
  expect(new Set(things).difference(await opened(await sceneWith(), things))).toEqual(new Set());
});

test.each(Object.keys(accessEvents) as AccessEvent[])(
  'What "%s" revokes, and what it keeps, matches the table (G-03, M-5.2g)',
  async (event) => {
    const scene = await sceneWith();
    library.api.context.clock.advance(1.5);
    await happens[event](scene);
    const stays = await opened(scene, things);
    if (event === 'disable') await run(`user enable --email ${scene.user.email}`);
    const closed = things.filter((what) => !stays.has(what));
    const waits = event === 'disable' ? await opened(scene, closed) : new Set<Issued>();
    const effect = (what: Issued): Effect => {
      if (stays.has(what)) return 'stays';
      return waits.has(what) ? 'waits' : 'ends';
    };
    const table = (effects: (what: Issued) => Effect) =>
      Object.fromEntries(things.map((what) => [what, effects(what)]));
    expect(table(effect)).toEqual(table((what) => effectOf(event, what)));
  },
);
