import { statfs } from 'node:fs/promises';
import { version } from '#platform/command-line.ts';
import { backupRepo } from '#store/postgres/backup/backups.ts';
import { checklistReportRepo } from '#store/postgres/checklists/reports.ts';
import { applicationRepo } from '#store/postgres/developer-keys/developer-keys.ts';
import { feedStatusRepo } from '#store/postgres/feeds/status.ts';
import { problemReportRepo } from '#store/postgres/reports/reports.ts';
import { createSchemaGuard } from '#store/postgres/migrations.ts';
import { sql } from '#store/postgres/sql.ts';
import { outgoingMailRepo } from '#store/postgres/mail/outgoing.ts';
import { gatewayBacklogRepo } from '#store/postgres/subscriptions/gateway-orders.ts';
import { view } from '../verb.ts';
import type { Noun, ViewTools } from '../verb.ts';
import { hourMs } from '#domain/time.ts';

const oldBackupMs = 24 * hourMs;
/** A disk with less free space needs attention. */
const leastFree = 0.1;

/** One line of the status; `next` is the action required, null if none. */
const line = (part: string, state: string, next: string | null = null) => ({ part, state, next });

const sum = <T>(list: readonly T[], numberOf: (item: T) => number): number =>
  list.reduce((total, item) => total + numberOf(item), 0);

/** Automatic work. */
const workLines = async ({ db, now, queues }: ViewTools) => {
  const feeds = (await feedStatusRepo(db).reports(now)).filter(({ status }) => status !== 'off');
  const [worst, ...others] = feeds.filter(({ status }) => status !== 'up');
  const problem =
    worst && `; ${worst.feed} is ${worst.status}${others.length > 0 ? `, ${others.length} more` : ''}`;
  const up = feeds.length - (worst ? 1 + others.length : 0);
  const counts = await (await queues()).counts();
  const failed = sum(counts, (each) => each.dead);
  const mails = await outgoingMailRepo(db).unsentCounts();
  const gateways = await gatewayBacklogRepo(db).of(now);
  const parked = sum(gateways, (each) => each.parkedMessages);
  const refused = sum(gateways, (each) => each.refusedOrders);
  return [
    line('feeds', `${up} of ${feeds.length} up${problem ?? ''}`, worst && `feeds show ${worst.feed}`),
    line(
      'queues',
      `${sum(counts, (each) => each.waiting)} waiting, ${sum(counts, (each) => each.delayed)} delayed, ${sum(counts, (each) => each.active)} running, ${failed} failed for good`,
      failed > 0 ? 'jobs list' : null,
    ),
    line(
      'mails',
      Object.entries(mails)
        .map(([state, count]) => `${count} ${state}`)
        .join(', '),
      (mails['refused'] ?? 0) > 0 ? 'jobs list --search mail.send' : null,
    ),
    line('messages', `${parked} parked`, parked > 0 ? 'webhooks list --state parked' : null),
    line(
      'orders',
      `${sum(gateways, (each) => each.waitingOrders)} waiting, ${refused} refused in 7 days`,
      refused > 0 ? 'subscription list' : null,
    ),
  ];
};

/** Requests that users wait for. */
const requestLines = async ({ db }: ViewTools) =>
  (
    [
      ['requests', 'for permissions', await applicationRepo(db).requests(), 'devkey requests'],
      ['reports', 'of problems', await problemReportRepo(db).list(false), 'report list'],
      ['checklists', 'reported', await checklistReportRepo(db).list(false), 'checklist reports'],
    ] as const
  ).map(([part, what, { length }, next]) => line(part, `${length} ${what}`, length > 0 ? next : null));

const backupLine = async ({ config, now, db }: ViewTools) => {
  const last = await backupRepo(db).last();
  const isScheduled = config.BACKUP_URL !== undefined;
  const due = isScheduled ? 'jobs list' : 'set BACKUP_URL, or backup --out FILE';
  if (!last) return line('backup', 'none has been restored on trial', due);
  const ageMs = now.getTime() - last.takenAt.getTime();
  return line(
    'backup',
    `${Math.round(ageMs / hourMs)} hours old: ${last.file}, ${(last.bytes / 1e6).toFixed(1)} MB, restored on trial${isScheduled ? '' : '; none is scheduled'}`,
    ageMs <= oldBackupMs ? null : due,
  );
};

const diskLine = async ({ config, db }: ViewTools) => {
  const { bavail, blocks, bsize } = await statfs(config.DATA_DIR);
  const size = await db.value<string>(
    sql`SELECT pg_size_pretty(pg_database_size(current_database())) AS size`,
  );
  return line(
    'disk',
    `${((bavail * bsize) / 1e9).toFixed(1)} GB of ${((blocks * bsize) / 1e9).toFixed(1)} GB free at DATA_DIR; the database has ${size}`,
    bavail < blocks * leastFree ? 'make room: files and drawings in DATA_DIR, old backups' : null,
  );
};

const versionLines = async ({ db }: ViewTools) => {
  const { problem, note } = await (await createSchemaGuard(db)).compare();
  const running = await db.any<{ name: string; count: number }>(sql`
    SELECT substring(application_name FROM '[^ ]+ [^ ]+') AS name, count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND application_name ~ '^(api|workers|scheduler) ' GROUP BY 1 ORDER BY 1`);
  const isOther = running.some(({ name }) => !name.endsWith(` ${version}`));
  return [
    line(
      'version',
      `${version}; schema ${problem ?? (note === null ? 'fits' : `fits: ${note}`)}`,
      problem ? 'npm run migrate' : note && 'npm run migrate -- finish, when every process is replaced',
    ),
    line(
      'processes',
      running.map(({ name, count }) => `${name} (${count} connections)`).join(', ') || 'none connected',
      running.length === 0
        ? 'npm start'
        : isOther
          ? `restart the processes that do not run ${version}`
          : null,
    ),
  ];
};

export const status = {
  name: 'status',
  title: 'Status',
  summary: 'The whole service on one screen, with what to do next.',
  verbs: {
    '': view({
      summary:
        'Shows feeds, queues, mails, payments, requests and reports, last backup, disk, version and processes.',
      flags: {},
      run: async (tools) => ({
        data: {
          status: [
            ...(await workLines(tools)),
            ...(await requestLines(tools)),
            await backupLine(tools),
            await diskLine(tools),
            ...(await versionLines(tools)),
            // Lines that need attention come first.
          ].toSorted((a, b) => Number(a.next === null) - Number(b.next === null)),
        },
      }),
    }),
  },
} satisfies Noun;
