import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '#store/postgres/sql.ts';
import sweepExpired from '#workers/jobs/sweep-expired.ts';
import { runOnce } from '#test/support/run-once.ts';
import type { TestUser } from '../api.ts';
import { isDeep } from '../support/deep.ts';
import { pdfOf } from '../support/documents.ts';
import { libraryApi } from '../support/library.ts';
import type { LibraryApi } from '../support/library.ts';
import { bareEnvironment } from '../support/process.ts';
import { runSql } from '../support/sql.ts';

const kills = isDeep ? 4 : 2;

let library: LibraryApi;
let user: TestUser;
beforeAll(async () => {
  library = await libraryApi();
  user = await library.member();
});
afterAll(() => library.close());

/** A separate API on the same database and files. */
const startApi = async () => {
  const { config, databaseUrl } = library.api.context;
  const child = fork(join(import.meta.dirname, '../../apps/api/main.ts'), [], {
    env: {
      ...bareEnvironment(),
      DATABASE_URL: databaseUrl,
      DATA_DIR: config.DATA_DIR,
      PORT: '0',
      JWT_SECRET: config.JWT_SECRET.join(),
      SAFETY_CODE: config.SAFETY_CODE.join(','),
      LOG_LEVEL: 'silent',
      RATE_LIMIT_SCALE: '1000',
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [message] = (await once(child, 'message')) as [{ port: number }];
  return { child, url: `http://127.0.0.1:${message.port}/api` };
};

const send = async (url: string, fileId: string, text: string): Promise<boolean> => {
  const form = new FormData();
  form.set('query', 'libraryUpload');
  form.set('data', JSON.stringify({ fileId }));
  form.set('file', new Blob([new Uint8Array(pdfOf(text, 400_000))]), 'a.pdf');
  const headers = { authorization: `Bearer ${user.token}`, 'x-dev-key': library.devKey };
  try {
    return (await fetch(url, { method: 'POST', body: form, headers })).ok;
  } catch {
    // The process was killed while it had the call.
    return false;
  }
};

describe('an API killed while receiving uploads', () => {
  test('Every stored file has the bytes its row describes, and after the sweep no other bytes are stored', async () => {
    const ids = await Promise.all([0, 1, 2, 3].map((i) => library.file(user, pdfOf(`start ${i}`))));
    let cut = 0;
    for (let kill = 1; kill <= kills; kill += 1) {
      const { child, url } = await startApi();
      const exited = once(child, 'exit');
      const uploads = Array.from({ length: 12 }, (_, i) => send(url, ids[i % 4] ?? '', `kill ${kill} ${i}`));
      // At another point each time, while others are on their way.
      await Promise.all(uploads.slice(0, kill));
      child.kill('SIGKILL');
      await exited;
      cut += (await Promise.all(uploads)).filter((isDone) => !isDone).length;
      for (const { downloadUrl, fileHash } of (await library.sync(user)).files) {
        const response = await library.download(downloadUrl);
        expect([response.status, response.headers.get('etag')]).toEqual([200, `"${fileHash}"`]);
        const hash = await crypto.subtle.digest('SHA-256', await response.arrayBuffer());
        expect(Buffer.from(hash).toString('hex')).toBe(fileHash);
      }
    }
    // Otherwise every kill came after the work and the test proves nothing.
    expect(cut).toBeGreaterThan(0);
    const t = library.api.context;
    const start = t.clock.now();
    // The killed processes used the real clock, at which the session of the test has long expired.
    await runSql(t.postgres)`UPDATE user_session SET expires_at = 'infinity'`;
    t.clock.set(new Date(Date.now() + 7_200_000));
    await runOnce(sweepExpired, t, { slot: t.clock.now().toISOString() });
    t.clock.set(start);
    const jobs = await t.postgres.db.any<{ key: string }>(
      sql`SELECT jsonb_array_elements_text(data -> 'keys') AS key FROM pgboss.job WHERE name = 'file.delete'`,
    );
    for (const { key } of jobs) await t.storage.delete(key);
    const { files, storage } = await library.sync(user);
    expect(new Set(await library.stored())).toEqual(new Set(files.map(({ filePath }) => filePath)));
    expect(storage.user.usedBytes).toBe(files.reduce((sum, { fileSize }) => sum + Number(fileSize), 0));
  });
});
