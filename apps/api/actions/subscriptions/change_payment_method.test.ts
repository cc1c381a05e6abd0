import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#store/postgres/sql.ts';
import { codeOf, subscriptionScene } from '#test/support/subscriptions.ts';
import type { SubscriptionScene } from '#test/support/subscriptions.ts';

let scene: SubscriptionScene;
beforeAll(async () => {
  scene = await subscriptionScene();
});
afterAll(() => scene.close());

test('A card subscription gets a link to the gateway’s page, and the link is not logged (M-4.8.a8)', async () => {
  const { signed, id, reference } = await scene.subscribe();
  const { body } = await signed.change('change_payment_method', { subscription_id: id });
  expect(body['update_url']).toBe(`https://secure.example/signon/${reference}`);
  await scene.api.running.services.requestLog.flush();
  const rows = await scene.api.context.postgres.db.any<{ row: string }>(
    sql`SELECT to_jsonb(r)::text AS row FROM request_log r WHERE query = 'change_payment_method'`,
  );
  expect(rows.length).toBeGreaterThan(0);
  for (const { row } of rows) expect(row).not.toContain('signon');
});

test('Other gateways, another user’s subscription and a gateway refusal are errors (M-4.8.a8, M-4.8.g2, M-4.8.g3, M-7.b6)', async () => {
  const { signed, id, reference } = await scene.subscribe();
  const ask = async (data: Record<string, unknown>, by = signed) =>
    codeOf(await by.change('change_payment_method', data));
  expect(await ask({})).toEqual([400, 'MISSING_FIELD']);
  expect(await ask({ subscription_id: [] })).toEqual([400, 'INVALID_FIELD']);
  const other = await scene.subscribe();
  expect(await ask({ subscription_id: other.id })).toEqual([404, 'SUBSCRIPTION_NOT_FOUND']);
  for (const gateway of ['wallet', 'store', null] as const) {
    const mine = await scene.subscribe({ gateway });
    expect(await ask({ subscription_id: mine.id }, mine.signed)).toEqual([422, 'OPERATION_NOT_SUPPORTED']);
  }
  scene.card.licences.delete(reference);
  expect(await ask({ subscription_id: id })).toEqual([422, 'GATEWAY_REFUSED']);
  await scene.card.setMode('down');
  expect(await ask({ subscription_id: id })).toEqual([503, 'SERVICE_UNAVAILABLE']);
  await scene.card.setMode('ok');
});
