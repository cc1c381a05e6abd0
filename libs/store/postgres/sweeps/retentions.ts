/**
 * How long rows are kept: one sweep deletes them, table by table, and docs/operations.md lists them. Partitions of the request log,
 * contents of calculations, history of flight data and files have separate sweeps.
 */
import { pirepHours } from '#domain/weather/pirep.ts';
import { printDays } from '#domain/prints/files.ts';
import { metarHistoryHours } from '#domain/weather/times.ts';
import { windowDays } from '#domain/subscriptions/allowance.ts';
import { cursorDays } from '#domain/sync/cursor.ts';
import { sql } from '../sql.ts';
import { lostMailDays, mailDays, requestRetentions } from './retentions-of-requests.ts';
import type { Retention } from './retention.ts';

/** So long a client may be away and still learn what was deleted. */
export const tombstoneDays = 180;
/** Longer than any gateway repeats a message or allows a dispute. */
const gatewayDays = 400;
/** A client that has synced before these deletions has to read everything. */
const noteSwept = sql`
  UPDATE library_clock SET swept_to = greatest(swept_to, (SELECT max(changed_at) FROM gone))
  WHERE EXISTS (SELECT 1 FROM gone)`;

export const retentions: readonly Retention[] = [
  ...requestRetentions,
  {
    table: sql`gateway_event`,
    rows: 'messages of gateways that were applied or changed nothing',
    days: gatewayDays,
    why: 'longer than any gateway repeats a message or allows a dispute',
    isExpired: (end) => sql`t.received_at < ${end} AND t.state IN ('applied', 'ignored')`,
  },
  {
    table: sql`gateway_event`,
    rows: 'messages of gateways that no account has claimed',
    days: 180,
    why: 'they name people; alerts have reported them all the time',
    isExpired: (end) => sql`t.received_at < ${end} AND t.state = 'parked'`,
  },
  {
    table: sql`gateway_order`,
    rows: 'ended orders to gateways, of subscriptions that ended as long ago',
    days: gatewayDays,
    why: 'longer than any gateway repeats a message or allows a dispute',
    isExpired: (end) => sql`t.ended_at < ${end} AND t.state <> 'pending'
      AND EXISTS (SELECT 1 FROM subscription s WHERE s.id = t.subscription_id AND s.ends_at < ${end})`,
  },
  {
    table: sql`migration_intent`,
    rows: 'ended changes of the gateway',
    days: gatewayDays,
    why: 'longer than any gateway repeats a message or allows a dispute',
    isExpired: (end) => sql`t.ended_at < ${end}`,
  },
  {
    table: sql`former_usage`,
    rows: 'calculations of deleted accounts, counted by day',
    days: windowDays,
    why: 'the period of the allowance',
    isExpired: (end) => sql`t.used_at < ${end}`,
  },
  {
    table: sql`audit`,
    rows: 'changes by operators',
    days: 730,
    why: 'configured',
    isExpired: (end) => sql`t.at < ${end}`,
  },
  {
    table: sql`console_token`,
    rows: 'sign-ins to the console',
    days: 30,
    why: 'after their end, for `console list`',
    isExpired: (end) => sql`t.expires_at < ${end}`,
  },
  {
    table: sql`outgoing_mail`,
    rows: 'sent mails',
    days: mailDays,
    why: 'for questions about them',
    isExpired: (end) => sql`t.sent_at < ${end}`,
  },
  {
    table: sql`outgoing_mail`,
    rows: 'sent mails about the deletion of an account',
    days: 0,
    why: 'nothing else has the address of a deleted account',
    isExpired: (end) => sql`t.key LIKE 'account-deleted:%' AND t.sent_at <= ${end}`,
  },
  {
    table: sql`outgoing_mail`,
    rows: 'mails with a secret that could not be sent',
    days: lostMailDays,
    why: 'their job is deleted before that',
    isExpired: (end) => sql`t.is_secret AND t.sent_at IS NULL AND t.created_at < ${end}`,
  },
  {
    table: sql`effect`,
    rows: 'which mails were handed over',
    days: 2 * mailDays,
    why: 'longer than the mail, so that a job can never send it again',
    isExpired: (end) => sql`t.kind = 'mail' AND t.done_at < ${end}`,
  },
  {
    table: sql`print`,
    rows: 'what documents and pictures of flights show, with their files',
    days: printDays,
    why: 'a briefing is of one moment',
    isExpired: (end) => sql`t.created_at < ${end}`,
  },
  {
    table: sql`ofp`,
    rows: 'flight plans that have expired, with documents and flight data, unless a share of them can be used',
    days: 0,
    why: 'the import set their end',
    // With OFFSET its shares are looked up for each expired plan; without, all shares may be read for a few plans.
    isExpired: (end) => sql`t.expires_at < ${end} AND NOT EXISTS (
      SELECT 1 FROM ofp_share s WHERE s.owner_id = t.user_id AND s.ofp_id = t.id AND s.status <> 'revoked'
        AND (s.expires_at IS NULL OR s.expires_at > ${end}) OFFSET 0)`,
  },
  {
    table: sql`ofp_share`,
    rows: 'revoked shares, also those of deleted plans and accounts',
    days: 180,
    why: 'both lists show them until then',
    isExpired: (end) => sql`t.status = 'revoked' AND t.revoked_at < ${end}`,
  },
  {
    table: sql`ofp_share`,
    rows: 'invitations that expired without an answer',
    days: 180,
    why: 'both lists show them until then',
    isExpired: (end) => sql`t.status = 'pending' AND t.expires_at < ${end}`,
  },
  {
    table: sql`library_file`,
    rows: 'deleted files of the library, which remain without content',
    days: tombstoneDays,
    why: 'a client that syncs learns of the deletion; one that was away longer reads everything (SINCE_TOO_OLD)',
    isExpired: (end) => sql`t.deleted_at IS NOT NULL AND t.changed_at < ${end}`,
    alongside: noteSwept,
  },
  {
    table: sql`library_folder`,
    rows: 'deleted folders of the library',
    days: tombstoneDays,
    why: 'as deleted files',
    isExpired: (end) => sql`t.deleted_at IS NOT NULL AND t.changed_at < ${end}`,
    alongside: noteSwept,
  },
  {
    table: sql`row_change`,
    rows: 'what clients are told of changed rows',
    // A day more than a cursor is good, for what was written long before it was committed.
    days: cursorDays + 1,
    why: 'a client that was away longer reads everything (SINCE_TOO_OLD)',
    isExpired: (end) => sql`t.at < ${end}`,
  },
  {
    table: sql`problem_report`,
    rows: 'closed reports',
    days: 365,
    why: 'for comparison with new ones',
    isExpired: (end) => sql`t.closed_at < ${end}`,
  },
  {
    table: sql`checklist_report`,
    rows: 'closed reports of checklists',
    days: 365,
    why: 'for comparison with new ones',
    isExpired: (end) => sql`t.closed_at < ${end}`,
  },
  {
    table: sql`announcement`,
    rows: 'expired announcements, but the last one that a user has acknowledged',
    days: 365,
    why: 'for operators; users no longer see them',
    isExpired: (end) => sql`t.expires_at < ${end}
      AND NOT EXISTS (SELECT 1 FROM announcement_ack a WHERE a.announcement_id = t.id)`,
  },
  {
    table: sql`airport_change`,
    rows: 'changes of runways by a new cycle',
    days: 365,
    why: 'the status page shows the last ones',
    isExpired: (end) => sql`t.changed_at < ${end}`,
  },
  {
    table: sql`sigmet`,
    rows: 'SIGMETs and AIRMETs that have ended',
    days: 1 / 24,
    why: 'a flight is briefed with what is valid then or later',
    isExpired: (end) => sql`t.valid_to < ${end}`,
  },
  {
    table: sql`pirep`,
    rows: 'reports of pilots and aircraft',
    days: pirepHours / 24,
    why: 'an older one says little about the air now',
    isExpired: (end) => sql`t.observed_at < ${end}`,
  },
  {
    table: sql`taf`,
    rows: 'ended forecasts of stations that issue no newer ones',
    days: 7,
    why: 'so long an ended forecast is shown, with that mark',
    isExpired: (end) => sql`coalesce(t.valid_to, t.issued_at + interval '30 hours') < ${end}`,
  },
  {
    table: sql`metar_history`,
    rows: 'METARs, of which the newest of each station also stays elsewhere',
    days: metarHistoryHours / 24,
    why: '`weather` answers with those of the last 6 hours',
    isExpired: (end) => sql`t.observed_at < ${end}`,
  },
];
