/** Work that continues after the call that began it, and whether it is still open. */
import { createHash, randomUUID } from 'node:crypto';
import { hashOfKey } from '#platform/developer-keys.ts';
import type { Issued } from '#domain/access/revocations.ts';
import { messageOf } from '#domain/webhooks/events.ts';
import { newWebhookSecret, seal } from '#store/auth/secrets.ts';
import type { ChangePage } from '#api/queries/sync/common/feed.ts';
import { sql } from '#store/postgres/sql.ts';
import { webhookDeliveryWrites } from '#store/postgres/webhooks/deliveries.ts';
import { webhookEndpointWrites } from '#store/postgres/webhooks/endpoints.ts';
import webhookDeliver from '#workers/jobs/webhook-deliver.ts';
import { at } from '../support/answers.ts';
import { documentOf } from '../support/checklists.ts';
import { pdfOf } from '../support/documents.ts';
import { openEvents } from '../support/event-stream.ts';
import { isOpen, isShown } from '../support/opens.ts';
import type { LibraryApi } from '../support/library.ts';
import type { Receiver } from '../support/receiver.ts';
import { runOnce } from '../support/run-once.ts';
import { runSql } from '../support/sql.ts';
import { until } from '../support/until.ts';
import type { TestUser } from '../api.ts';

interface Scene {
  library: LibraryApi;
  receiver: Receiver;
  user: TestUser;
  /** Issued for `devKey`. */
  token: string;
  devKey: string;
  other: TestUser;
}

export const openWork = async ({ library, receiver, user, token, devKey, other }: Scene) => {
  const { api } = library;
  const { context } = api;
  const { postgres } = context;
  const saved = { name: 'Fuel', checklist: documentOf() };
  const clientId = randomUUID();
  const save = () => api.call('checklistSave', { token, data: { ...saved, clientId } });
  const keyed = () =>
    api.call('checklistSave', { token, headers: { 'idempotency-key': 'keyed' }, data: saved });
  const checklistId = String(at(await save(), 'data', 'checklistId'));
  await keyed();

  const exported = await api.call('checklistExport', {
    token: user.token,
    data: { checklistId, format: 'PDF' },
  });
  const print = new URL(String(at(exported, 'data', 'url'))).pathname;

  const bytes = pdfOf(user.email);
  const begun = await api.call('libraryUploadBegin', {
    token,
    data: {
      name: 'a.pdf',
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    },
  });
  const { path } = begun.body['upload'] as { path: string };

  const own = await api.key();
  await runSql(postgres)`
    UPDATE developer_key SET owner_id = ${user.id}, name = ${'Own'} WHERE key_hash = ${hashOfKey(own)}`;

  const { id: keyId } = await postgres.db.one<{ id: number }>(
    sql`SELECT id FROM developer_key WHERE key_hash = ${hashOfKey(devKey)}`,
  );
  const now = context.clock.now();
  const body = messageOf('subscription.changed', now, {
    userId: user.id,
    subscriptionId: 1,
    productCode: 'EFB_PRO_M',
    hasAccess: true,
    autoRenew: false,
    startsAt: now.toISOString(),
    endsAt: now.toISOString(),
  });
  await postgres.transaction(async (tx) => {
    await webhookEndpointWrites(tx).insert({
      developerKeyId: keyId,
      url: `${receiver.url}/${user.id}`,
      events: ['subscription.changed'],
      secretSealed: seal(newWebhookSecret(), 'webhook seal', context.config.ENCRYPTION_KEYS),
      createdAt: now,
    });
    await webhookDeliveryWrites(tx).publish({
      event: 'subscription.changed',
      body,
      userId: user.id,
      createdAt: now,
      nextAt: now,
    });
  });

  const stream = await openEvents(`${api.url}/api/changes`, { authorization: `Bearer ${token}` });
  const since = String((await stream.next())?.id);
  const longPoll = api.call('changes', { token, data: { since, wait: 50 } });
  await until('both wait', () => api.running.services.waiting.count() >= 2);

  /** Wakes waiting callers. */
  const change = () => runSql(postgres)`UPDATE checklist SET name = name || '!' WHERE id = ${checklistId}`;
  const isTold = async (): Promise<boolean> => {
    await change();
    for (;;) {
      const heard = await stream.next();
      if (heard === null || heard.name === 'end') return false;
      if ((heard.data as ChangePage).changes.some((one) => one.id === checklistId)) return true;
    }
  };
  const told = Promise.withResolvers<boolean>();
  let asked = false;
  return {
    stream: () => {
      if (!asked) told.resolve(isTold());
      asked = true;
      return told.promise;
    },
    longPoll: async () => {
      await change();
      return isOpen(await longPoll);
    },
    print: async () => isShown(await api.fetch(print), [404]),
    upload: async () => {
      const answer = await api.fetch(path, {
        method: 'HEAD',
        headers: { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0' },
      });
      return isShown(answer, [401, 403]);
    },
    storedAnswer: async () => {
      const answer = await keyed();
      return isOpen(answer) && answer.headers.get('idempotent-replayed') === 'true';
    },
    repeatedSave: async () => isOpen(await save()),
    application: async () => isOpen(await api.call('refreshUserData', { token: other.token, devKey: own })),
    webhook: async () => {
      await runOnce(webhookDeliver, context, { slot: now.toISOString() });
      return receiver.messages.some((message) => message.path === `/${user.id}`);
    },
  } satisfies Partial<Record<Issued, () => Promise<boolean>>>;
};
