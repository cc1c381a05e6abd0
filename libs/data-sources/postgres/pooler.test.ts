/** A PgBouncer between this service and its database: it is noticed where it would do harm. */
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { testContext } from '#test/harness.ts';
import type { TestContext } from '#test/harness.ts';
import { bouncerNote, hasBouncer, startBouncer } from '#test/support/pgbouncer.ts';
import type { BouncerOptions } from '#test/support/pgbouncer.ts';
import { until } from '#test/support/until.ts';
import { createListener } from './listen.ts';
import { SessionError } from './session-guard.ts';
import { sql } from './sql.ts';

let t: TestContext;
beforeAll(async () => {
  t = await testContext();
});
afterAll(() => t.close());

const timeouts = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];

const through = async <T>(options: BouncerOptions, work: (url: string) => Promise<T>): Promise<T> => {
  const bouncer = await startBouncer(t.databaseUrl, options);
  try {
    return await work(bouncer.url);
  } finally {
    await bouncer.stop();
  }
};

describe.skipIf(!hasBouncer)(`behind PgBouncer${bouncerNote}`, () => {
  const refusal = (options: BouncerOptions): Promise<unknown> =>
    through(options, (databaseUrl) =>
      testContext({ databaseUrl }).then(
        (context) => context.close(),
        (error: unknown) => error,
      ),
    );

  test('A start-up parameter that it refuses is named at the start', async () => {
    const error = await refusal({ mode: 'session' });
    expect(error).toBeInstanceOf(SessionError);
    expect(String(error)).toMatch(
      /DATABASE_URL: a pooler refuses \w+_timeout, .*Give the address of the server/,
    );
  });

  test('Parameters that it drops are named at the start, as are connections that it shares', async () => {
    const drops = [...timeouts, 'options'];
    const dropped = await refusal({ mode: 'session', drops });
    expect(dropped).toBeInstanceOf(SessionError);
    expect(String(dropped)).toContain(
      'statement_timeout is 0 instead of 60000, lock_timeout is 0 instead of 2000, ' +
        'idle_in_transaction_session_timeout is 0 instead of 10000, default_transaction_read_only is off instead of on',
    );
    const shared = await refusal({ mode: 'transaction', drops });
    expect(shared).toBeInstanceOf(SessionError);
    expect(String(shared)).toContain('a pooler shares connections between sessions');
  });

  test('A listener is not connected where its pooler shares connections, and says why', async () => {
    const onMessage = vi.fn<(payload: string) => void>();
    const onError = vi.fn<(line: string) => void>();
    const log = pino({ level: 'error' }, { write: onError });
    const heard = (mode: BouncerOptions['mode'], ends: (isConnected: () => boolean) => boolean) =>
      through({ mode }, async (connectionString) => {
        const listener = createListener({
          connectionString,
          db: t.postgres.db,
          handlers: { pooled: onMessage },
          onLost: () => undefined,
          log,
          beatMs: mode === 'session' ? 5_000 : 300,
        });
        await until('it is known', () => ends(listener.isConnected));
        await t.postgres.db.one(sql`SELECT pg_notify('pooled', ${mode})`);
        if (mode === 'session') await until('it is heard', () => onMessage.mock.calls.length > 0);
        expect(listener.isConnected()).toBe(mode === 'session');
        await listener.close();
      });
    await heard('session', (isConnected) => isConnected());
    expect(onError).not.toHaveBeenCalled();
    await heard('transaction', () => onError.mock.calls.length > 0);
    expect(onError.mock.calls.join()).toContain('give the address of the server itself');
    expect(onMessage.mock.calls).toEqual([['session']]);
  });
});
