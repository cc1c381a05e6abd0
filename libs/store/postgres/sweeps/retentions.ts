/**
 * How long rows are kept: one sweep deletes them, table by table, and docs/operations.md lists them. Partitions of the request log,
 * contents of calculations, history of flight data and files have separate sweeps.
 */
import { mailSend } from '#domain/jobs/contracts.ts';
import { pirepHours } from '#domain/weather/pirep.ts';
import { printDays } from '#domain/prints/files.ts';
import { metarHistoryHours } from '#domain/weather/times.ts';
import { windowDays } from '#domain/subscriptions/allowance.ts';
import { cursorDays } from '#domain/sync/cursor.ts';
import { deletedClientIdDays, idempotencyHours } from '../requests/repeats.ts';
import { ownText, sql } from '../sql.ts';
import type { Sql } from '../sql.ts';

export interface Retention {
  table: string;
  /** Which rows, for operators. */
  rows: string;
  days: number;
  why: string;
  /** Condition on a row `t`: its retention has ended at this time. */
  isExpired: (end: Date) => Sql;
  /** A statement that runs with the deletion and reads the deleted rows under the name `gone`. */
  alongside?: Sql;
}

/** Clients may be away for this long and still receive deletions. */
export const tombstoneDays = 180;
/** Longer than any gateway repeats a message or allows a dispute. */
const gatewayDays = 400;
/** The claim of a mail outlives its row; a day after its failed job was deleted, no job can send it. */
const mailDays = 30;
const lostMailDays = (mailSend.keepFailedDays ?? 14) + 1;
/** A row change is kept a day longer than a cursor is valid, for changes written long before their commit. */
const changeDays = cursorDays + 1;

/** Time column from which age is counted | days kept | which rows | why | condition in SQL. */
const byTime = `
password_reset.expires_at | 1 | mailed links for a new password | an expired link still gets the right message for a day
password_reset_request.requested_at | ${lostMailDays} | requests for a new password whose job failed | their job has been deleted by then
email_proof.expires_at | 1 | mailed links that prove an address | an expired link still gets the right message for a day
user_session.expires_at | 0 | sessions whose tokens have expired | none of their tokens is valid
developer_session.expires_at | 0 | sessions of developers at \`/developers\` that have ended | none of their cookies is valid
device_login.expires_at | ${1 / 24} | logins of devices whose codes have expired | a device that polls late gets the right message
crew_presence.seen_at | 1 | pilots with an open plan | without a call they count as away after a minute
rate_limit.expires_at | 0 | windows of limits that have ended | they no longer count
webhook_delivery.created_at | 30 | messages to applications, delivered or not | they can be replayed that long
used_confirmation.expires_at | 0 | used confirmations of signed actions | an expired confirmation is refused anyway
idempotency_key.created_at | ${idempotencyHours / 24} | calls with an Idempotency-Key and their answers | a repeat gets the first answer that long
client_id.gone_at | ${deletedClientIdDays} | client ids of deleted rows | a repeated creation does not bring the row back
gateway_event.received_at | ${gatewayDays} | gateway messages that were applied or changed nothing | longer than any gateway repeats a message or allows a dispute | t.state IN ('applied', 'ignored')
gateway_event.received_at | 180 | gateway messages that no account has claimed | they contain personal data; alerts have reported them all along | t.state = 'parked'
migration_intent.ended_at | ${gatewayDays} | ended migrations to the card gateway | longer than any gateway repeats a message or allows a dispute
former_usage.used_at | ${windowDays} | calculations of deleted accounts, counted by day | the period of the allowance
audit.at | 730 | changes by operators | configured
console_token.expires_at | 30 | sign-ins to the console | shown after they expire, by \`console list\`
outgoing_mail.sent_at | ${mailDays} | sent mails | for questions about them
outgoing_mail.created_at | ${lostMailDays} | mails with a secret that could not be sent | their job has been deleted by then | t.is_secret AND t.sent_at IS NULL
effect.done_at | ${2 * mailDays} | which mails were handed to the mail server | kept longer than the mail, so that no job can send it again | t.kind = 'mail'
print.created_at | ${printDays} | contents and files of printed documents and drawings | a briefing is soon outdated
ofp_share.revoked_at | 180 | revoked shares, also those of deleted plans and accounts | both lists show them until then | t.status = 'revoked'
ofp_share.expires_at | 180 | invitations that expired without an answer | both lists show them until then | t.status = 'pending'
row_change.at | ${changeDays} | the change feed | a client that was away longer reads everything (SINCE_TOO_OLD)
problem_report.closed_at | 365 | closed reports | for comparison with new ones
checklist_report.closed_at | 365 | closed reports of checklists | for comparison with new ones
announcement.expires_at | 365 | expired announcements, except those that a user has acknowledged last | for operators; users no longer see them | NOT EXISTS (SELECT 1 FROM announcement_ack a WHERE a.announcement_id = t.id)
airport_change.changed_at | 365 | runway changes of a new cycle | the status page shows the latest ones
sigmet.valid_to | ${1 / 24} | SIGMETs and AIRMETs that have ended | briefings need only those valid now or later
pirep.observed_at | ${pirepHours / 24} | pilot and aircraft reports | older ones say little about the current conditions
metar_history.observed_at | ${metarHistoryHours / 24} | METARs; the newest one of each station is also stored elsewhere | \`weather\` answers with those of the last 6 hours`;

const retentionOf = (line: string): Retention => {
  const [place = '', days, rows = '', why = '', condition = 'true'] = line.split(' | ');
  const [table = ''] = place.split('.');
  const [column, also] = [ownText(place.replace(table, 't')), ownText(condition)];
  return { table, rows, days: Number(days), why, isExpired: (end) => sql`${column} < ${end} AND ${also}` };
};

const deletedEntries = (table: string, rows: string, why: string): Retention => ({
  table,
  rows,
  days: tombstoneDays,
  why,
  isExpired: (end) => sql`t.deleted_at IS NOT NULL AND t.changed_at < ${end}`,
  // A client that has synced before these deletions has to read everything.
  alongside: sql`
    UPDATE library_clock SET swept_to = greatest(swept_to, (SELECT max(changed_at) FROM gone))
    WHERE EXISTS (SELECT 1 FROM gone)`,
});

export const retentions: readonly Retention[] = [
  ...byTime.trim().split('\n').map(retentionOf),
  {
    table: 'gateway_order',
    rows: 'ended orders to gateways, once their subscription ended as long ago',
    days: gatewayDays,
    why: 'longer than any gateway repeats a message or allows a dispute',
    isExpired: (end) => sql`t.ended_at < ${end} AND t.state <> 'pending'
      AND EXISTS (SELECT 1 FROM subscription s WHERE s.id = t.subscription_id AND s.ends_at < ${end})`,
  },
  {
    table: 'outgoing_mail',
    rows: 'sent mails about the deletion of an account',
    days: 0,
    why: 'nothing else stores the address of a deleted account',
    isExpired: (end) => sql`t.key LIKE 'account-deleted:%' AND t.sent_at <= ${end}`,
  },
  {
    table: 'ofp',
    rows: 'expired flight plans with their documents and flight data, unless a share is still valid',
    days: 0,
    why: 'the import set when they expire',
    // With OFFSET its shares are looked up for each expired plan; without, all shares may be read for a few plans.
    isExpired: (end) => sql`t.expires_at < ${end} AND NOT EXISTS (
      SELECT 1 FROM ofp_share s WHERE s.owner_id = t.user_id AND s.ofp_id = t.id AND s.status <> 'revoked'
        AND (s.expires_at IS NULL OR s.expires_at > ${end}) OFFSET 0)`,
  },
  deletedEntries(
    'library_file',
    'deleted library files, whose content is gone already',
    'clients learn of the deletion; one that was away longer reads everything (SINCE_TOO_OLD)',
  ),
  deletedEntries('library_folder', 'deleted library folders', 'as for deleted files'),
  {
    table: 'taf',
    rows: 'expired forecasts of stations that issue no newer ones',
    days: 7,
    why: 'an expired forecast is shown that long, marked as such',
    isExpired: (end) => sql`coalesce(t.valid_to, t.issued_at + interval '30 hours') < ${end}`,
  },
];
