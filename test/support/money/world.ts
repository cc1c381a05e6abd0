/** One account with its subscriptions and the gateways behind them. */
import { DomainError } from '#domain/errors.ts';
import { GatewayError, gatewayCodes } from '#domain/subscriptions/gateway.ts';
import type { SubscriptionRecord } from '#domain/subscriptions/record.ts';
import type { Context } from '#data/context.ts';
import { sql } from '#store/postgres/sql.ts';
import type { Postgres } from '#store/postgres/pool.ts';
import { subscriptionRecordRepo } from '#store/postgres/subscriptions/records.ts';
import { startSimulatedCard } from '#tools/simulated-gateways/card.ts';
import { createCardLife } from '#tools/simulated-gateways/card-life.ts';
import type { SentMessage, Taken } from '#tools/simulated-gateways/life.ts';
import { startSimulatedWallet } from '#tools/simulated-gateways/wallet.ts';
import { createWalletLife } from '#tools/simulated-gateways/wallet-life.ts';
import { createAccount } from '#commands/users/accounts.ts';
import { receiveEvent } from '#commands/subscriptions/messages.ts';
import { createLiveSubscriptions } from '#api/services/live-subscriptions.ts';
import { syncInline } from '#api/services/services.ts';
import gatewayReconcile from '#workers/jobs/gateway-reconcile.ts';
import gatewaySync from '#workers/jobs/gateway-sync.ts';
import subscriptionDue from '#workers/jobs/subscription-due.ts';
import webhookApply from '#workers/jobs/webhook-apply.ts';
import { runOnce } from '#test/support/run-once.ts';
import { testContext } from '../../harness.ts';
import { gatewayHttp } from './http.ts';
import type { Mode } from './http.ts';
import type { Paying } from './steps.ts';

/** A rule of the model was broken. */
export class BrokenRuleError extends Error {
  override name = 'BrokenRuleError';
}

export interface Answer {
  /** The refusal's code; null: accepted. */
  code: string | null;
  body: Record<string, unknown>;
}

export interface MailSeen {
  key: string;
  subject: string;
  text: string;
}

export interface Held {
  message: SentMessage;
  due: Date;
}

interface Handler {
  handler: (ctx: never) => unknown;
}

export const createWorld = async () => {
  const modes: Record<Paying, Mode> = { card: 'ok', wallet: 'ok' };
  const time: { now: () => Date } = { now: () => new Date() };
  const now = () => time.now();
  const card = await startSimulatedCard({ now });
  const wallet = await startSimulatedWallet({ now });
  const lives = { card: createCardLife(card, now), wallet: createWalletLife(wallet, now) };
  const origin = (address: string | undefined) => new URL(address ?? '').origin;
  const http = gatewayHttp(
    new Map([
      [origin(card.origin), { answer: card.answer, mode: () => modes.card }],
      [origin(wallet.variables['WALLET_NVP_URL']), { answer: wallet.answers.nvp, mode: () => modes.wallet }],
      [
        origin(wallet.variables['WALLET_REST_URL']),
        { answer: wallet.answers.rest, mode: () => modes.wallet },
      ],
      [
        origin(wallet.variables['WALLET_IPN_VERIFY_URL']),
        { answer: wallet.answers.verify, mode: () => 'ok' as const },
      ],
    ]),
  );
  const real = await testContext({ env: { ...card.variables, ...wallet.variables }, http });
  const { clock } = real;
  time.now = () => clock.now();
  // The model runs every job itself, so it needs no queue.
  const jobs = { ...real.jobs, enqueue: async () => {} } as unknown as Context['jobs'];
  let changes = 0;
  const counted =
    <T extends unknown[], R>(work: (...given: T) => Promise<R>) =>
    (...given: T): Promise<R> =>
      work(...given).finally(() => {
        changes += 1;
      });
  const postgres: Postgres = {
    ...real.postgres,
    transaction: counted(real.postgres.transaction) as Postgres['transaction'],
    single: counted(real.postgres.single) as Postgres['single'],
  };
  const context: Context = { ...real, postgres, jobs };
  const { db } = postgres;
  const records = () => subscriptionRecordRepo(db);

  const liveSubscriptions = createLiveSubscriptions(context);

  /** Calls a handler of the API like the dispatcher after its stages. */
  const call = async (
    operation: Handler,
    input: Record<string, unknown>,
    userId: number,
    isAdmin = false,
  ): Promise<Answer> => {
    const fail = (code: string, { extra = {} }: { extra?: Record<string, unknown> } = {}) =>
      new DomainError(code, extra);
    const drop = () => {};
    const ctx = {
      ...context,
      input,
      db,
      fail,
      now: now(),
      confirmedAt: now(),
      caller: { userId, vaAdmin: isAdmin ? { scope: 'FULL' } : null },
      caches: { users: { drop }, profiles: { drop } },
      liveSubscriptions,
      transaction: postgres.transaction,
      syncOrder: (id: number) => syncInline(context, id),
    };
    try {
      return { code: null, body: (await operation.handler(ctx as never)) as Answer['body'] };
    } catch (error) {
      if (error instanceof DomainError) return { code: error.code, body: error.extra };
      if (error instanceof GatewayError) return { code: `GATEWAY_${error.outcome}`, body: {} };
      throw error;
    }
  };

  /** Acts as the webhook route; false: the gateway has to send it again. */
  const receive = async ({ path, body }: SentMessage): Promise<void> => {
    const [code = '', event = ''] = path.split('/').slice(-2);
    const kind = code === gatewayCodes.card ? 'card' : 'wallet';
    const reader = context.gateways[kind].messages[event];
    if (!reader) throw new Error(`no reader for ${path}`);
    const raw = Buffer.from(body, 'latin1');
    const verified = await reader.verify(raw, now());
    // One statement, since the message's job is run here.
    await postgres.single((tx) =>
      receiveEvent(tx, context, {
        gateway: code,
        event,
        ...verified,
        raw,
        receivedAt: now(),
      }),
    );
  };

  /** The number of changes when nothing was pending. */
  let idleSince: number | null = null;

  /** Runs every pending job once; failed ones are retried next time. */
  const work = async (done: () => Promise<void>): Promise<void> => {
    if (changes === idleSince) return;
    const waiting = await db.any<{ kind: string; id: number }>(sql`
      SELECT 'event' AS kind, id FROM gateway_event WHERE state IN ('received', 'parked')
      UNION ALL SELECT 'order', id FROM gateway_order WHERE state = 'pending' ORDER BY kind, id`);
    if (waiting.length === 0) idleSince = changes;
    for (const { kind, id } of waiting) {
      const run =
        kind === 'event'
          ? runOnce(webhookApply, context, { eventId: id })
          : runOnce(gatewaySync, context, { orderId: id });
      await run.catch((error: unknown) => {
        const isExpected =
          error instanceof GatewayError ||
          (error instanceof Error && error.message.startsWith('The gateway does not have order'));
        if (!isExpected) throw error;
      });
      await done();
    }
  };

  /** Applies changes that are due. */
  const due = (): Promise<void> => runOnce(subscriptionDue, context, { slot: now().toISOString() });

  const compare = (): Promise<void> =>
    runOnce(gatewayReconcile, context, { slot: now().toISOString() }).catch((error: unknown) => {
      if (!(error instanceof Error && error.message.startsWith('not reconciled'))) throw error;
    });

  let users = 0;
  const account = (): Promise<{ userId: number; email: string }> =>
    postgres.transaction(async (tx) => {
      users += 1;
      const email = `model${users}@example.org`;
      const person = {
        email,
        passwordHash: 'x',
        firstname: 'Model',
        lastname: 'Pilot',
        rank: 'CAPT',
      } as const;
      const { userId } = await createAccount(tx, context, { ...person, developerKeyId: null });
      return { userId, email };
    });

  /** Resets the world to its state before the first sequence. */
  const clear = async (start: Date): Promise<void> => {
    clock.set(start);
    for (const kind of ['card', 'wallet'] as const) modes[kind] = 'ok';
    lives.card.clear();
    lives.wallet.clear();
    for (const { reads } of [card, wallet]) reads.setLag(0);
    // Accounts remain, because deleting one touches every table.
    await postgres.single((tx) =>
      tx.run(sql`WITH events AS (DELETE FROM gateway_event), entries AS (DELETE FROM ledger),
          mails AS (DELETE FROM outgoing_mail), compared AS (DELETE FROM gateway_comparison),
          due AS (DELETE FROM gateway_comparison_due)
        DELETE FROM subscription`),
    );
  };

  return {
    context,
    clock,
    db,
    card,
    wallet,
    lives,
    modes,
    now,
    call,
    receive,
    work,
    compare,
    due,
    account,
    clear,
    records,
    /** Transactions so far: while the number is unchanged, everything read is still current. */
    changes: () => changes,
    taken: (): Taken[] => [...lives.card.taken, ...lives.wallet.taken],
    charges: ({ gateway, reference }: SubscriptionRecord): boolean =>
      reference !== null && lives[gateway === gatewayCodes.card ? 'card' : 'wallet'].charges(reference),
    mailsAfter: (id: number) =>
      db.any<MailSeen & { id: number }>(
        sql`SELECT id, key, subject, body_text AS text FROM outgoing_mail WHERE id > ${id} ORDER BY id`,
      ),
    close: async () => {
      await real.close();
      await card.close();
      await wallet.close();
    },
  };
};

export type World = Awaited<ReturnType<typeof createWorld>>;
