import { statfs } from 'node:fs/promises';
import { version } from '#platform/command-line.ts';
import { backupRepo } from '#store/postgres/backup/backups.ts';
import { checklistReportRepo } from '#store/postgres/checklists/reports.ts';
import { applicationRepo } from '#store/postgres/developer-keys/applications.ts';
import { feedStatusRepo } from '#store/postgres/feeds/status.ts';
import { problemReportRepo } from '#store/postgres/reports/reports.ts';
import { createSchemaGuard } from '#store/postgres/schema-guard.ts';
import { sql } from '#store/postgres/sql.ts';
import { outgoingMailRepo } from '#store/postgres/mail/outgoing.ts';
import { gatewayBacklogRepo } from '#store/postgres/subscriptions/gateway-backlog.ts';
import { view } from '../verb.ts';
import type { Noun, ViewTools } from '../verb.ts';
import { hourMs } from '#domain/time.ts';

const oldBackupMs = 24 * hourMs;
/** Below this share of free space a disk needs attention. */
const leastFree = 0.1;

/** One line of the screen; `next` is what to do, null when there is nothing to do. */
interface Line {
  part: string;
  state: string;
  next: string | null;
}

const sum = <T>(list: readonly T[], numberOf: (item: T) => number): number =>
  list.reduce((total, item) => total + numberOf(item), 0);

const feedLine = async ({ postgres: { db }, clock }: ViewTools): Promise<Line> => {
  const feeds = (await feedStatusRepo(db).reports(clock.now())).filter(({ status }) => status !== 'off');
  const [worst, ...others] = feeds.filter(({ status }) => status !== 'up');
  const problem =
    worst && `${worst.feed} is ${worst.status}${others.length > 0 ? `, ${others.length} more` : ''}`;
  return {
    part: 'feeds',
    state: `${feeds.length - (worst ? 1 + others.length : 0)} of ${feeds.length} up${problem ? `; ${problem}` : ''}`,
    next: worst ? `feeds show ${worst.feed}` : null,
  };
};

const queueLine = async ({ queues }: ViewTools): Promise<Line> => {
  const counts = await (await queues()).counts();
  const failed = sum(counts, (each) => each.dead);
  return {
    part: 'queues',
    state: `${sum(counts, (each) => each.waiting)} waiting, ${sum(counts, (each) => each.delayed)} delayed, ${sum(counts, (each) => each.active)} running, ${failed} failed for good`,
    next: failed > 0 ? 'jobs list' : null,
  };
};

const mailLine = async ({ postgres: { db } }: ViewTools): Promise<Line> => {
  const counts = await outgoingMailRepo(db).unsentCounts();
  return {
    part: 'mails',
    state: Object.entries(counts)
      .map(([state, count]) => `${count} ${state}`)
      .join(', '),
    next: (counts['refused'] ?? 0) > 0 ? 'jobs list --search mail.send' : null,
  };
};

const gatewayLines = async ({ postgres: { db }, clock }: ViewTools): Promise<Line[]> => {
  const gateways = await gatewayBacklogRepo(db).of(clock.now());
  const parked = sum(gateways, (each) => each.parkedMessages);
  const refused = sum(gateways, (each) => each.refusedOrders);
  const waiting = sum(gateways, (each) => each.waitingOrders);
  return [
    { part: 'messages', state: `${parked} parked`, next: parked > 0 ? 'webhooks list --state parked' : null },
    {
      part: 'orders',
      state: `${waiting} waiting, ${refused} refused in 7 days`,
      next: refused > 0 ? 'subscription list' : null,
    },
  ];
};

/** What people wait for. */
const requestLines = async ({ postgres: { db } }: ViewTools): Promise<Line[]> => {
  const waiting = [
    ['requests', 'for permissions', (await applicationRepo(db).requests()).length, 'devkey requests'],
    ['reports', 'of problems', (await problemReportRepo(db).list(false)).length, 'report list'],
    ['checklists', 'reported', (await checklistReportRepo(db).list(false)).length, 'checklist reports'],
  ] as const;
  return waiting.map(([part, what, count, next]) => ({
    part,
    state: `${count} ${what}`,
    next: count > 0 ? next : null,
  }));
};

const backupLine = async ({ config, clock, postgres: { db } }: ViewTools): Promise<Line> => {
  const last = await backupRepo(db).last();
  const ageMs = last && clock.now().getTime() - last.takenAt.getTime();
  const isScheduled = config.BACKUP_URL !== undefined;
  return {
    part: 'backup',
    state: last
      ? `${Math.round((ageMs ?? 0) / hourMs)} hours old: ${last.file}, ${(last.bytes / 1e6).toFixed(1)} MB, restored on trial${isScheduled ? '' : '; none is scheduled'}`
      : 'none has been restored on trial',
    next:
      ageMs !== null && ageMs <= oldBackupMs
        ? null
        : isScheduled
          ? 'jobs list'
          : 'set BACKUP_URL, or backup --out FILE',
  };
};

const diskLine = async ({ config, postgres: { db } }: ViewTools): Promise<Line> => {
  const { bavail, blocks, bsize } = await statfs(config.DATA_DIR);
  const { size } = await db.one<{ size: string }>(
    sql`SELECT pg_size_pretty(pg_database_size(current_database())) AS size`,
  );
  return {
    part: 'disk',
    state: `${((bavail * bsize) / 1e9).toFixed(1)} GB of ${((blocks * bsize) / 1e9).toFixed(1)} GB free at DATA_DIR; the database has ${size}`,
    next: bavail < blocks * leastFree ? 'make room: files and drawings in DATA_DIR, old backups' : null,
  };
};

const versionLines = async ({ postgres: { db } }: ViewTools): Promise<Line[]> => {
  const { problem, note } = await (await createSchemaGuard(db)).compare();
  const running = await db.any<{ name: string; count: number }>(sql`
    SELECT substring(application_name FROM '[^ ]+ [^ ]+') AS name, count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND application_name ~ '^(api|workers|scheduler) ' GROUP BY 1 ORDER BY 1`);
  const isOther = running.some(({ name }) => !name.endsWith(` ${version}`));
  return [
    {
      part: 'version',
      state: `${version}; schema ${problem ?? (note === null ? 'fits' : `fits: ${note}`)}`,
      next: problem ? 'npm run migrate' : note && 'npm run migrate -- finish, when every process is replaced',
    },
    {
      part: 'processes',
      state:
        running.map(({ name, count }) => `${name} (${count} connections)`).join(', ') || 'none connected',
      next: running.length === 0 ? 'npm start' : isOther ? `restart what is not ${version}` : null,
    },
  ];
};

export const status: Noun = {
  name: 'status',
  title: 'Status',
  summary: 'The whole service on one screen, with what to do next.',
  verbs: {
    '': view({
      summary:
        'Shows feeds, queues, mails, payments, requests and reports, last backup, disk, version and processes.',
      flags: {},
      run: async (ops) => {
        const lines = [
          await feedLine(ops),
          await queueLine(ops),
          await mailLine(ops),
          ...(await gatewayLines(ops)),
          ...(await requestLines(ops)),
          await backupLine(ops),
          await diskLine(ops),
          ...(await versionLines(ops)),
        ];
        return {
          data: { status: lines },
          // What needs attention comes first.
          table: lines
            .toSorted((a, b) => Number(a.next === null) - Number(b.next === null))
            .map(({ next, ...line }) => ({ ...line, next: next ?? '' })),
        };
      },
    }),
  },
};
