import { afterAll, beforeAll, expect, test } from 'vitest';
import { addEndpoint } from '#commands/webhooks.ts';
import { feedStatusWrites } from '#store/postgres/feeds/status.ts';
import { webhookDeliveryRepo } from '#store/postgres/webhooks/deliveries.ts';
import { testContext } from '#test/harness.ts';
import type { TestContext } from '#test/harness.ts';
import { insertBySql, runSql } from '#test/support/sql.ts';
import { runOnce } from '#test/support/run-once.ts';
import feedWatch from './feed-watch.ts';

let t: TestContext;
let endpointId: number;
beforeAll(async () => {
  t = await testContext();
  const key = await insertBySql<{ id: number }>(t.postgres)`
    INSERT INTO developer_key (name, key_hash, key_hint) VALUES ('Operator', 'x', 'dk') RETURNING id`;
  ({ id: endpointId } = await t.postgres.transaction((tx) =>
    addEndpoint(tx, t, { developerKeyId: key.id, url: 'https://ops.example/hooks', events: ['feed.down'] }),
  ));
  const promise = { schedule: '* * * * *', graceMinutes: 10, staleMinutes: 60 };
  await t.postgres.transaction((tx) =>
    feedStatusWrites(tx).declare(['metar', 'taf', 'winds'].map((name) => ({ name, ...promise }))),
  );
});
afterAll(() => t.close());

const reported = async () =>
  (await webhookDeliveryRepo(t.postgres.db).list(endpointId, 100)).map(
    ({ body }) => (JSON.parse(body) as { data: unknown }).data,
  );
const succeed = (feed: string, agoMinutes: number) => {
  const at = new Date(t.clock.now().getTime() - agoMinutes * 60_000);
  return runSql(t.postgres)`
    INSERT INTO feed_state (feed, last_success_at) VALUES (${feed}, ${at})
    ON CONFLICT (feed) DO UPDATE SET last_success_at = excluded.last_success_at`;
};
const run = () => runOnce(feedWatch, t, { slot: '2026-09-16T12:00:00Z' });

test('An outage of a feed is reported once, and again only after a recovery; a feed that has never run is not reported (G-35)', async () => {
  await succeed('metar', 5);
  await succeed('taf', 61);
  await run();
  await run();
  const taf = { feed: 'taf', title: 'TAF', lastSuccessAt: '2026-09-16T10:59:00.000Z', error: null };
  expect(await reported()).toEqual([taf]);
  t.clock.advance(3_600);
  await succeed('taf', 0);
  await run();
  expect(await reported()).toMatchObject([{ feed: 'metar' }, taf]);
  t.clock.advance(3_600);
  await run();
  expect(await reported()).toMatchObject([{ feed: 'taf' }, { feed: 'metar' }, taf]);
});
