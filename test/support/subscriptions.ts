/** An API with a simulated card gateway and some subscriptions. */
import { gatewayCodes } from '#domain/subscriptions/gateway.ts';
import type { GatewayKind } from '#domain/subscriptions/gateway.ts';
import { ledgerEntry } from '#domain/subscriptions/entries.ts';
import type { LedgerEntry } from '#domain/subscriptions/paid-periods.ts';
import type { PromoCode } from '#domain/subscriptions/plan.ts';
import { sql } from '#store/postgres/sql.ts';
import { ledgerWrites } from '#store/postgres/subscriptions/ledger.ts';
import { promoCodeWrites } from '#store/postgres/subscriptions/products.ts';
import { startSimulatedCard } from '#tools/simulated-gateways/card.ts';
import type { SimulatedCard } from '#tools/simulated-gateways/card.ts';
import gatewaySync from '#workers/jobs/gateway-sync.ts';
import webhookApply from '#workers/jobs/webhook-apply.ts';
import { runOnce } from '#test/support/run-once.ts';
import { testApi } from '../api.ts';
import type { ApiOptions, TestApi, TestUser } from '../api.ts';
import { insertBySql } from './sql.ts';
import { safetyCode, signerOf } from './signed.ts';
import type { Signer } from './signed.ts';

export interface Subscribed {
  user: TestUser;
  signed: Signer;
  id: number;
  reference: string;
  gateway: GatewayKind;
}

export interface SubscriptionOptions {
  user?: TestUser;
  gateway?: GatewayKind | null;
  product?: string;
  /** Days from now to the end; negative if it has ended. */
  days?: number;
  status?: string;
  pricePaidMinor?: number;
  /** Default: true unless it has ended. */
  renews?: boolean;
}

export interface SubscriptionScene {
  api: TestApi;
  card: SimulatedCard;
  /** A key with this tier; FULL by default. */
  key: (tier?: 'READ' | 'FULL' | null) => Promise<string>;
  subscribe: (options?: SubscriptionOptions) => Promise<Subscribed>;
  /** A payment reported by the subscription's gateway, completed unless stated. */
  paid: (
    subscribed: Subscribed,
    payment: Partial<LedgerEntry> & { transactionId: string },
  ) => Promise<unknown>;
  /** A 25 % code for all products unless stated. */
  promo: (code: string, change?: Partial<PromoCode>) => Promise<unknown>;
  /** Applies an event again, like its job. */
  apply: (eventId: number) => Promise<void>;
  /** Runs all pending orders and events, like the workers. */
  work: () => Promise<void>;
  stored: (id: number) => Promise<Record<string, unknown>>;
  /** The mails to this user, oldest first. */
  mails: (user: Pick<TestUser, 'email'>) => Promise<{ subject: string; text: string }[]>;
  close: () => Promise<void>;
}

/** Equal length in all files of a worker, since entries with the same age are taken in text order. */
let references = 100_000;
const dayMs = 86_400_000;

export const subscriptionScene = async (
  env: Record<string, string> = {},
  apiOptions: Omit<ApiOptions, 'env'> = {},
): Promise<SubscriptionScene> => {
  const card = await startSimulatedCard({ now: () => api.context.clock.now() });
  const api = await testApi({ ...apiOptions, env: { SAFETY_CODE: safetyCode, ...card.variables, ...env } });
  const { db } = api.context.postgres;

  const subscribe: SubscriptionScene['subscribe'] = async (options = {}) => {
    const { gateway = 'card', product = 'EFB_PRO_M', days = 20, status = 'Running' } = options;
    const { renews = days > 0 && status !== 'Cancelled' && status !== 'Expired' } = options;
    references += 1;
    const user = options.user ?? (await api.user());
    const reference = `REF${references}`;
    const now = api.context.clock.now();
    const endsAt = new Date(now.getTime() + days * dayMs);
    const { id } = await insertBySql<{ id: number }>(api.context.postgres)`
      INSERT INTO subscription (user_id, product_code, gateway, reference, gateway_status, auto_renew,
        price_paid_minor, currency, starts_at, ends_at)
      VALUES (${user.id}, ${product}, ${gateway && gatewayCodes[gateway]}, ${gateway && reference}, ${status},
        ${renews}, ${options.pricePaidMinor ?? 999}, 'EUR',
        ${new Date(now.getTime() - 40 * dayMs)}, ${endsAt})
      RETURNING id`;
    if (gateway === 'card') {
      const state = { isEnabled: true, isRecurring: true, resumeAt: null, orders: [] };
      card.licences.set(reference, { ...state, reference, userId: user.id, productCode: product, endsAt });
    }
    return { user, signed: await signerOf(api, user), id, reference, gateway: gateway ?? 'card' };
  };

  const work = async (): Promise<void> => {
    const events = await db.any<{ id: number }>(
      sql`SELECT id FROM gateway_event WHERE state = 'received' ORDER BY id`,
    );
    for (const { id } of events) await runOnce(webhookApply, api.context, { eventId: id });
    const orders = await db.any<{ id: number }>(
      sql`SELECT id FROM gateway_order WHERE state = 'pending' ORDER BY id`,
    );
    // A failing one does not stop the others.
    const failures: unknown[] = [];
    for (const { id } of orders)
      await runOnce(gatewaySync, api.context, { orderId: id }).catch((error: unknown) =>
        failures.push(error),
      );
    if (failures.length > 0) throw failures[0];
  };

  return {
    api,
    card,
    key: (tier = 'FULL') => api.key({ userInfo: 'FULL', subscription: tier }),
    subscribe,
    paid: ({ user, id, gateway }, payment) => {
      const given = { kind: 'payment', status: 'COMPLETED', currency: 'EUR', amountMinor: 999 } as const;
      const entry = ledgerEntry({ ...given, at: api.context.clock.now(), ...payment });
      const owner = { userId: user.id, subscriptionId: id, gateway: gatewayCodes[gateway] };
      return api.context.postgres.transaction((tx) =>
        ledgerWrites(tx).add(owner, { ...entry, method: 'card', cause: 'test' }),
      );
    },
    promo: (code, change = {}) => {
      const terms = { percent: 25, productCode: null, isRecurring: false, maxCycles: null, expiresAt: null };
      const promo = { code, ...terms, isActive: true, ...change };
      return api.context.postgres.transaction((tx) =>
        promoCodeWrites(tx).create(promo, api.context.clock.now()),
      );
    },
    apply: (eventId) => runOnce(webhookApply, api.context, { eventId }),
    work,
    stored: (id) => db.one<Record<string, unknown>>(sql`SELECT * FROM subscription WHERE id = ${id}`),
    mails: ({ email }) =>
      db.any(
        sql`SELECT subject, body_text AS text FROM outgoing_mail WHERE recipient = ${email} AND key LIKE 'subscription-%'
          ORDER BY id`,
      ),
    close: async () => {
      await api.close();
      await card.close();
    },
  };
};

/** Status and code of an error. */
export const codeOf = ({
  status,
  body,
}: {
  status: number;
  body: Record<string, unknown>;
}): [number, string] => [status, (body['error'] as { code: string } | undefined)?.code ?? 'none'];
