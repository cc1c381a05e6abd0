import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '#store/postgres/sql.ts';
import { ops } from '#test/support/ops.ts';
import { runSql } from '#test/support/sql.ts';
import { subscriptionScene } from '#test/support/subscriptions.ts';
import type { SubscriptionScene } from '#test/support/subscriptions.ts';
import { runOnce } from '#test/support/run-once.ts';
import subscriptionDue from './subscription-due.ts';

let scene: SubscriptionScene;
beforeAll(async () => {
  scene = await subscriptionScene();
});
afterAll(() => scene.close());

const due = () => runOnce(subscriptionDue, scene.api.context, { slot: '2026-09-16T12:00:00Z' });
const subjects = async (user: { email: string }) => (await scene.mails(user)).map(({ subject }) => subject);
const days = (count: number) => scene.api.context.clock.advance(count * 86_400);

describe('subscription.due', () => {
  test('Grants, extensions and cancellations by operators, and expiries, are each mailed once', async () => {
    const user = await scene.api.user();
    const { context } = scene.api;
    await ops(context, `subscription grant --email ${user.email} --product EFB_PRO_M --days 10`);
    const { id } = await context.postgres.db.one<{ id: number }>(
      sql`SELECT id FROM subscription WHERE user_id = ${user.id}`,
    );
    await ops(context, `subscription extend --id ${id} --days 5`);
    days(16);
    await due();
    await due();
    days(-16);
    expect(await subjects(user)).toEqual([
      'A subscription was granted to you',
      'Your subscription lasts longer',
      'Your subscription has ended',
    ]);
    const other = await scene.subscribe();
    await ops(context, `subscription cancel --id ${other.id}`);
    await scene.work();
    expect(await subjects(other.user)).toEqual(['Your subscription is cancelled']);
  });

  test('A switched renewal is mailed when changed, not again when confirmed by the gateway', async () => {
    const { user, id } = await scene.subscribe();
    const devKey = await scene.key();
    for (const enabled of [false, true])
      expect(
        (
          await scene.api.call('setAutoRenewal', {
            token: user.token,
            devKey,
            data: { subscriptionId: id, enabled },
          })
        ).status,
      ).toBe(200);
    await scene.work();
    expect(await subjects(user)).toEqual([
      'Your subscription will not be renewed',
      'Your subscription will be renewed',
    ]);
  });

  test('A pause ends on its day: the status follows for the card, and the wallet receives the resumption', async () => {
    const paused = async (gateway: 'card' | 'wallet') => {
      const subscribed = await scene.subscribe({ gateway, status: 'paused', days: 40 });
      const until = new Date(scene.api.context.clock.now().getTime() + 3 * 86_400_000)
        .toISOString()
        .slice(0, 10);
      await runSql(scene.api.context.postgres)`
        UPDATE subscription SET pause_until = ${until}, had_access = true WHERE id = ${subscribed.id}`;
      return subscribed;
    };
    const [card, wallet] = [await paused('card'), await paused('wallet')];
    const statuses = () =>
      Promise.all([card, wallet].map(async ({ id }) => (await scene.stored(id))['gatewayStatus']));
    await due();
    expect(await statuses()).toEqual(['paused', 'paused']);
    days(3);
    await due();
    await due();
    days(-3);
    expect(await statuses()).toEqual(['Running', 'Running']);
    const orders = await scene.api.context.postgres.db.any(
      sql`SELECT verb FROM gateway_order WHERE subscription_id IN (${card.id}, ${wallet.id})`,
    );
    expect(orders).toEqual([{ verb: 'resume' }]);
    expect([await subjects(card.user), await subjects(wallet.user)]).toEqual([
      ['Your subscription continues'],
      ['Your subscription continues'],
    ]);
  });
});
