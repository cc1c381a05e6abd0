/** Compares acknowledged work with the database, mails and the API. */
import { sql } from '#store/postgres/sql.ts';
import type { Postgres } from '#store/postgres/pool.ts';
import { runSql } from '#test/support/sql.ts';
import { until } from '#test/support/until.ts';
import type { MailSink } from '../faults/mail-sink.ts';
import { ledgerRow } from '../faults/ledger.ts';
import type { Judge } from '../support/judge.ts';
import type { Front } from './front.ts';
import { askApi } from './work.ts';
import type { Call, Work } from './work.ts';

const p99Times = 2;
const drainLimitMs = 60_000;

/** Each stored drawing has one row here, so a repetition shows as a second row. */
export const watchPictures = async (postgres: Postgres): Promise<void> => {
  await runSql(postgres)`CREATE TABLE bench_picture (text text)`;
  await runSql(postgres)`
    CREATE FUNCTION bench_see_picture() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN INSERT INTO bench_picture VALUES (NEW.calculation_id || '' '' || NEW.name); RETURN NULL; END'`;
  await runSql(postgres)`CREATE TRIGGER bench_see AFTER UPDATE ON graphic FOR EACH ROW
    WHEN (NEW.path IS NOT NULL) EXECUTE FUNCTION bench_see_picture()`;
};

/** The 99th percentile of calls without pictures, or of pictures, which wait for a worker. */
const p99Of = (calls: readonly Call[], phase: string, isPicture: boolean): { ms: number; count: number } => {
  const times = calls
    .filter((call) => call.phase === phase && (call.kind === 'picture') === isPicture)
    .map(({ ms }) => ms)
    .toSorted((a, b) => a - b);
  return { ms: times[Math.floor(times.length * 0.99)] ?? Number.NaN, count: times.length };
};

export const judgeLatency = (
  { calls }: Work,
  { quiet, others }: { quiet: string; others: readonly string[] },
  { report }: Judge,
): void => {
  const base = p99Of(calls, quiet, false);
  const basePicture = p99Of(calls, quiet, true);
  console.log(
    `  ${quiet}: p99 ${base.ms.toFixed(0)} ms of ${base.count} calls, of pictures ${basePicture.ms.toFixed(0)} ms`,
  );
  for (const phase of others) {
    const { ms, count } = p99Of(calls, phase, false);
    const picture = p99Of(calls, phase, true);
    report(
      `${phase}: p99 ${ms.toFixed(0)} ms of ${count} calls, ${(ms / base.ms).toFixed(2)} times (bar ${p99Times}); of pictures ${picture.ms.toFixed(0)} ms`,
      ms <= p99Times * base.ms,
    );
  }
};

export const judgeFailures = ({ calls, failures }: Work, { report }: Judge): void => {
  for (const failure of failures.slice(0, 10)) console.log(`    ${failure}`);
  report(`${failures.length} of ${calls.length} requests failed (bar 0)`, failures.length === 0);
};

const readBack = async (front: Front, { flightData }: Work['ledger']): Promise<string[]> => {
  const found: string[] = [];
  for (const [dataKey, { token, ofpId }] of flightData) {
    const headers = { authorization: `Bearer ${token}` };
    const { status, text } = await askApi(front, 'flightDataGet', { ofpId, dataKey }, headers);
    if (status === 200 && text.includes(`"payload":{"n":${dataKey.replace('key', '')}}`)) found.push(dataKey);
  }
  return found;
};

export const judgeLedger = async (
  { ledger }: Work,
  { postgres, mail, front }: { postgres: Postgres; mail: MailSink; front: Front },
  { report }: Judge,
): Promise<void> => {
  const textsOf = async (statement: ReturnType<typeof sql>): Promise<string[]> =>
    (await postgres.db.any<{ text: string }>(statement)).map(({ text }) => text);
  const countOf = async (statement: ReturnType<typeof sql>): Promise<number> =>
    (await postgres.db.one<{ n: number }>(statement)).n;
  const undrawn = sql`SELECT count(*)::int AS n FROM graphic WHERE drawn_at IS NULL`;
  const isDone = async () => mail.accepted.length >= ledger.resets.length && (await countOf(undrawn)) === 0;
  // Anything missing by then is reported below.
  await until('mails are sent and pictures drawn', isDone, drainLimitMs).catch(() => undefined);
  const asked = await textsOf(sql`SELECT calculation_id || ' ' || name AS text FROM graphic`);
  const rows = [
    ledgerRow(
      'checklists',
      ledger.checklists,
      await textsOf(sql`SELECT name AS text FROM checklist WHERE name LIKE 'Checklist %'`),
    ),
    ledgerRow(
      'flight data',
      ledger.flightData.keys(),
      await textsOf(sql`SELECT data_key AS text FROM flight_data
        JOIN flight_data_change c ON c.flight_data_id = flight_data.id WHERE data_key LIKE 'key%'`),
    ),
    ledgerRow('flight data, read back', ledger.flightData.keys(), await readBack(front, ledger)),
    ledgerRow(
      'calculations',
      ledger.weights,
      await textsOf(sql`SELECT request -> 'weight' ->> 'landingWeight' AS text FROM calculation`),
    ),
    ledgerRow(
      'jobs: mails',
      ledger.resets,
      mail.accepted.map(({ to }) => to),
    ),
    ledgerRow(
      `jobs: drawings, ${ledger.pictures.length} of them answered`,
      asked,
      await textsOf(sql`SELECT text FROM bench_picture`),
      ledger.pictures.length,
    ),
  ];
  for (const { scenario, measured, bar, isMet } of rows)
    report(`${scenario}: ${measured} (bar ${bar})`, isMet);
};
