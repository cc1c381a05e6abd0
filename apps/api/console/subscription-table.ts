import type { ListedSubscription } from '#data/postgres/subscriptions/subscriptions.ts';
import { statusOf } from '#domain/subscriptions/entitlement.ts';
import type { SubscriptionStatus } from '#domain/subscriptions/entitlement.ts';
import { html } from '../pages/html.ts';
import type { Html } from '../pages/html.ts';
import { badge, orDash, table, time, yesNo } from '../site/parts.ts';

const kinds = {
  ACTIVE: 'up',
  ACTIVE_PAUSED: 'late',
  PAUSED: 'late',
  CANCELLED: 'late',
  EXPIRED: 'off',
} as const satisfies Record<SubscriptionStatus, Parameters<typeof badge>[0]>;

export const statusBadge = (
  row: Pick<ListedSubscription, 'gatewayStatus' | 'startsAt' | 'endsAt'>,
  now: Date,
): Html => {
  const status = statusOf(row, now);
  return badge(kinds[status], status.toLowerCase().replace('_', ', '));
};

export const subscriptionTable = (rows: readonly ListedSubscription[], now: Date): Html =>
  table(
    'Subscriptions',
    ['Id', 'Account', 'Product', 'State', 'Ends', 'Renewal', 'Gateway', 'Reference'],
    rows.map((row) => [
      html`<a href="/console/subscriptions/show?id=${row.id}">${row.id}</a>`,
      row.email,
      row.productCode,
      statusBadge(row, now),
      time(row.endsAt),
      yesNo(row.autoRenew),
      orDash(row.gateway),
      orDash(row.reference),
    ]),
  );
