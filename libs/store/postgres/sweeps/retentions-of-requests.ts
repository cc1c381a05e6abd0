/** How long is kept what belongs to requests and their repetitions. */
import { mailSend } from '#domain/jobs/contracts.ts';
import { deletedClientIdDays, idempotencyHours } from '../requests/repeats.ts';
import { sql } from '../sql.ts';
import type { Retention } from './retention.ts';

/** The claim of a mail outlives its row; a day after its failed job is gone, no job can send it. */
export const mailDays = 30;
export const lostMailDays = (mailSend.keepFailedDays ?? 14) + 1;

export const requestRetentions: readonly Retention[] = [
  {
    table: sql`password_reset`,
    rows: 'mailed links for a new password',
    days: 1,
    why: 'after their end, so that an old link still gets the right message',
    isExpired: (end) => sql`t.expires_at < ${end}`,
  },
  {
    table: sql`password_reset_request`,
    rows: 'requests for a new password whose job failed',
    days: lostMailDays,
    why: 'their job is deleted before that',
    isExpired: (end) => sql`t.requested_at < ${end}`,
  },
  {
    table: sql`email_proof`,
    rows: 'mailed links that prove an address',
    days: 1,
    why: 'after their end, so that an old link still gets the right message',
    isExpired: (end) => sql`t.expires_at < ${end}`,
  },
  {
    table: sql`user_session`,
    rows: 'sessions whose tokens have expired',
    days: 0,
    why: 'none of their tokens is valid',
    isExpired: (end) => sql`t.expires_at < ${end}`,
  },
  {
    table: sql`developer_session`,
    rows: 'sessions of developers at `/developers` that have ended',
    days: 0,
    why: 'none of their cookies is valid',
    isExpired: (end) => sql`t.expires_at < ${end}`,
  },
  {
    table: sql`device_login`,
    rows: 'logins of devices whose codes have expired',
    days: 1 / 24,
    why: 'after their end, so that the device gets the right message',
    isExpired: (end) => sql`t.expires_at < ${end}`,
  },
  {
    table: sql`crew_presence`,
    rows: 'pilots who had a plan open',
    days: 1,
    why: 'they are away after a minute',
    isExpired: (end) => sql`t.seen_at < ${end}`,
  },
  {
    table: sql`rate_limit`,
    rows: 'windows of limits that have ended',
    days: 0,
    why: 'they no longer count',
    isExpired: (end) => sql`t.expires_at < ${end}`,
  },
  {
    table: sql`webhook_delivery`,
    rows: 'messages to applications, delivered or not',
    days: 30,
    why: 'so long they can be replayed',
    isExpired: (end) => sql`t.created_at < ${end}`,
  },
  {
    table: sql`used_confirmation`,
    rows: 'used confirmations of signed actions',
    days: 0,
    why: 'after their end the confirmation itself is refused',
    isExpired: (end) => sql`t.expires_at < ${end}`,
  },
  {
    table: sql`idempotency_key`,
    rows: 'calls with an Idempotency-Key and their answers',
    days: idempotencyHours / 24,
    why: 'so long a repetition gets the answer of the first',
    isExpired: (end) => sql`t.created_at < ${end}`,
  },
  {
    table: sql`client_id`,
    rows: 'ids that clients gave to what was deleted',
    days: deletedClientIdDays,
    why: 'so long a repeat of its creation does not bring it back',
    isExpired: (end) => sql`t.gone_at < ${end}`,
  },
];
