/** Events sent to applications as Standard Webhooks: https://www.standardwebhooks.com. */
import { z } from 'zod';
import { sharePermissions } from '../ofp/share.ts';

interface EventRule {
  summary: string;
  /** The applications that receive it: those in which the user is signed in, all, or the operator's only. */
  audience: 'user' | 'all' | 'operator';
  data: z.ZodObject;
  example: Readonly<Record<string, unknown>>;
}

const userIdSchema = z.int().describe('Account concerned, `id` of the user object');

/** By event name, the `type` of its message. */
export const webhookEvents = {
  'share.accepted': {
    summary: 'Somebody has accepted the share of a plan of the user.',
    audience: 'user',
    data: z.strictObject({
      userId: userIdSchema,
      shareId: z.int().describe('As in `ofpShareList`'),
      ofpId: z.string().describe('The plan'),
      permission: z.enum(sharePermissions).describe('What the other crew member may do'),
    }),
    example: { userId: 12, shareId: 88, ofpId: 'OFP-4k7d2m9q', permission: 'edit' },
  },
  'plan.imported': {
    summary:
      'The user has imported a plan, or a new version of one. An import that changed nothing is not reported.',
    audience: 'user',
    data: z.strictObject({
      userId: userIdSchema,
      ofpId: z.string().describe('The plan, for `ofpGet`'),
      name: z.string().describe('Name of the plan'),
      isNew: z.boolean().describe('false when a new version of a stored plan was imported'),
    }),
    example: { userId: 12, ofpId: 'OFP-4k7d2m9q', name: 'DLH4AB EDDF-KJFK', isNew: true },
  },
  'subscription.changed': {
    summary:
      'A subscription of the user has begun, continued, changed or ended. The key of the application needs the permission `subscription`.',
    audience: 'user',
    data: z.strictObject({
      userId: userIdSchema,
      subscriptionId: z.int().describe('As in `getSubscriptions`'),
      productCode: z.string().describe('The product'),
      hasAccess: z.boolean().describe('true when it gives access now'),
      autoRenew: z.boolean().describe('true when it renews at its end'),
      startsAt: z.iso.datetime().describe('Start'),
      endsAt: z.iso.datetime().describe('End'),
    }),
    example: {
      userId: 12,
      subscriptionId: 31,
      productCode: 'EFB_PRO_Y',
      hasAccess: true,
      autoRenew: true,
      startsAt: '2026-09-16T12:00:00Z',
      endsAt: '2027-09-16T12:00:00Z',
    },
  },
  'announcement.published': {
    summary: 'An announcement is published, at its time of publication.',
    audience: 'all',
    data: z.strictObject({
      announcementId: z.string().describe('As in `announcementsList`'),
      title: z.string().describe('Title'),
      publishedAt: z.iso.datetime().describe('Time of publication'),
      expiresAt: z.iso.datetime().nullable().describe('End; null when there is none'),
    }),
    example: {
      announcementId: '7',
      title: 'Maintenance on Sunday',
      publishedAt: '2026-09-16T12:00:00Z',
      expiresAt: null,
    },
  },
  'feed.down': {
    summary:
      'A feed of the service (METAR, NOTAM, winds …) has no current data any more. Only the operator adds it to an endpoint.',
    audience: 'operator',
    data: z.strictObject({
      feed: z.string().describe('Feed name, as on the status page'),
      title: z.string().describe('Display name'),
      lastSuccessAt: z.iso
        .datetime()
        .nullable()
        .describe('Time of the last successful update; null when there was none'),
      error: z.string().nullable().describe('Last error'),
    }),
    example: { feed: 'metar', title: 'METAR', lastSuccessAt: '2026-09-16T10:00:00Z', error: 'timeout' },
  },
} as const satisfies Record<string, EventRule>;

export type WebhookEvent = keyof typeof webhookEvents;
export type EventData<E extends WebhookEvent> = z.output<(typeof webhookEvents)[E]['data']>;

export const eventNames = Object.keys(webhookEvents) as [WebhookEvent, ...WebhookEvent[]];

/** Events that developers may subscribe to without approval. */
export const openEventNames = eventNames.filter((name) => webhookEvents[name].audience !== 'operator');

/** Type of the test message for an endpoint. */
export const testEvent = 'webhook.test';

/** A message body: `type`, `timestamp` and `data`. */
export const messageOf = (type: string, at: Date, data: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({ type, timestamp: at.toISOString(), data });
