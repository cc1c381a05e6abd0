import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { utimes, stat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { startHealthFile } from '#data/health-file.ts';
import { createPostgres } from '#store/postgres/pool.ts';
import { createSchemaGuard } from '#store/postgres/migrations.ts';
import { testApi } from '#test/api.ts';
import { testContext, testFolder } from '#test/harness.ts';
import { bareEnvironment } from '#test/support/process.ts';
import { until } from '#test/support/until.ts';

/** The check as run by the container: exit code and output. */
const check = async (env: Record<string, string>): Promise<{ code: number; text: string }> => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'health.ts')], {
    env: { ...bareEnvironment(), ...env },
  });
  let text = '';
  child.stdout.on('data', (chunk) => void (text += String(chunk)));
  child.stderr.on('data', (chunk) => void (text += String(chunk)));
  const [code] = (await once(child, 'close')) as [number];
  return { code, text };
};

describe('health check of a process with a file', async () => {
  const healthFile = join(await testFolder(), 'health');
  const t = await testContext({ env: { HEALTH_FILE: healthFile } });
  afterAll(() => t.close());

  test('A process is healthy while its file is touched, unhealthy when the file is old or missing', async () => {
    expect(await check({ HEALTH_FILE: healthFile })).toMatchObject({
      code: 1,
      text: expect.stringContaining('does not exist'),
    });
    const stop = await startHealthFile(t, 20);
    expect(await check({ HEALTH_FILE: healthFile })).toEqual({ code: 0, text: '' });
    const { mtimeMs } = await stat(healthFile);
    await until('it is touched again', async () => (await stat(healthFile)).mtimeMs > mtimeMs);
    await stop();
    expect(await check({ HEALTH_FILE: healthFile })).toMatchObject({ code: 1 });
    const stopAgain = await startHealthFile(t, 60_000);
    const past = new Date(Date.now() - 60_000);
    await utimes(healthFile, past, past);
    expect(await check({ HEALTH_FILE: healthFile })).toMatchObject({
      code: 1,
      text: expect.stringMatching(/6\d s ago/),
    });
    const future = new Date(Date.now() + 7_200_000);
    await utimes(healthFile, future, future);
    expect(await check({ HEALTH_FILE: healthFile })).toMatchObject({
      code: 1,
      text: expect.stringContaining('in the future'),
    });
    await stopAgain();
  });

  test('The file is not touched while the database is unreachable', async () => {
    const options = { applicationName: 'away', max: 1, statementTimeoutMs: 1_000 };
    const connectionString = 'postgres://nobody@127.0.0.1:1/none';
    const postgres = createPostgres({ ...options, connectionString }, t.log);
    await rm(healthFile, { force: true });
    const stop = await startHealthFile({ ...t, schema: await createSchemaGuard(postgres.db) }, 60_000);
    expect(await check({ HEALTH_FILE: healthFile })).toMatchObject({
      code: 1,
      text: expect.stringContaining('does not exist'),
    });
    await stop();
    await postgres.close();
  });

  test('Without the variable no health file is written', async () => {
    const { HEALTH_FILE: _, ...config } = t.config;
    await (
      await startHealthFile({ ...t, config: { ...config, HEALTH_FILE: undefined } })
    )();
    await expect(stat(healthFile)).rejects.toThrow('ENOENT');
  });
});

describe('health check of the API', () => {
  test('The API is healthy while ready, and unhealthy with the reason when it does not listen', async () => {
    const api = await testApi();
    const address = { HOST: '0.0.0.0', PORT: String(api.running.port) };
    expect(await check(address)).toEqual({ code: 0, text: '' });
    await api.close();
    expect(await check(address)).toMatchObject({ code: 1, text: expect.stringContaining('ECONNREFUSED') });
  });
});
