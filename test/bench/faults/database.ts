/** A database that is temporarily unavailable: a held lock, no free connection, a full disk. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { runSql } from '#test/support/sql.ts';
import { until } from '#test/support/until.ts';
import { check } from '../support/rows.ts';
import type { Row } from '../support/rows.ts';
import { startWork } from './clients.ts';
import { codesRow, ledgerRow } from './ledger.ts';
import { sql } from '#store/postgres/sql.ts';
import type { FaultService } from './service.ts';

const faultMs = 8_000;

interface Readiness {
  status: number;
  text: string;
}

const readinessOf = async (url: string): Promise<Readiness> => {
  const response = await fetch(`${url}/readyz`);
  return { status: response.status, text: (await response.text()).slice(0, 160) };
};

/** Clients work before, during and after the fault; every acknowledged write must be stored once. */
const during = async (
  name: string,
  service: FaultService,
  fault: () => Promise<() => Promise<unknown>>,
): Promise<{ rows: Row[]; readiness: Readiness[] }> => {
  const work = startWork(service);
  await sleep(1_000);
  const mend = await fault();
  const readiness: Readiness[] = [];
  for (let waited = 0; waited < faultMs; waited += 1_000) {
    await sleep(1_000);
    readiness.push(await readinessOf(service.url));
  }
  const mended = performance.now();
  await mend();
  const isBack = () => [...work.calculations.values()].some(({ at }) => at > mended);
  await until('a calculation is acknowledged again', isBack);
  await until('ready again', async () => (await readinessOf(service.url)).status === 200);
  await work.stop();
  const stored = await service.postgres.db.any<{ weight: string }>(
    sql`SELECT request -> 'weight' ->> 'landingWeight' AS weight FROM calculation`,
  );
  const weights = [...work.calculations.values()].map(({ weightKg }) => String(weightKg));
  await runSql(service.postgres)`TRUNCATE calculation CASCADE`;
  const rows = [
    codesRow(`${name}: answers`, work.codes),
    ledgerRow(
      `${name}: calculations`,
      weights,
      stored.map(({ weight }) => weight),
    ),
  ];
  return { rows, readiness };
};

const clientOf = async (service: FaultService): Promise<Client> => {
  const client = new Client({ connectionString: service.running().databaseUrl });
  client.on('error', () => {});
  await client.connect();
  return client;
};

const heldLock = async (service: FaultService): Promise<Row[]> => {
  const { rows } = await during('lock held', service, async () => {
    const holder = await clientOf(service);
    await holder.query('BEGIN; LOCK TABLE calculation IN ACCESS EXCLUSIVE MODE');
    return () => holder.end();
  });
  return rows;
};

/** Takes every free connection after ending those of the service. */
const noConnection = async (service: FaultService): Promise<Row[]> => {
  const { rows, readiness } = await during('too many connections', service, async () => {
    const taken: Client[] = [await clientOf(service)];
    const [first] = taken;
    const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE pid <> pg_backend_pid() AND application_name NOT IN ('bench', 'taken')`;
    /** False when no connection was free. */
    const takeOne = async (): Promise<boolean> => {
      const connectionString = service.running().databaseUrl;
      const client = new Client({ connectionString, application_name: 'taken' });
      client.on('error', () => {});
      const isConnected = await client.connect().then(
        () => true,
        () => false,
      );
      if (isConnected) taken.push(client);
      return isConnected;
    };
    const takeAll = async (): Promise<void> => {
      while ((await Promise.all(Array.from({ length: 20 }, takeOne))).every(Boolean));
    };
    await takeAll();
    // The service reconnects as quickly as it can.
    for (let round = 0; round < 5; round += 1) {
      await first?.query(end);
      await takeAll();
    }
    return () => Promise.all(taken.map((client) => client.end()));
  });
  const named = readiness.find(({ status }) => status === 503);
  return [
    ...rows,
    check(
      'too many connections: /readyz',
      named !== undefined && /connection/i.test(named.text),
      named?.text ?? 'always 200',
      '503 and the reason',
    ),
  ];
};

/** The server's own error for a full disk, raised where a calculation is stored. */
const fullDisk = async (service: FaultService): Promise<Row[]> => {
  await runSql(service.postgres)`CREATE OR REPLACE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN RAISE EXCEPTION ''could not extend file: No space left on device'' USING ERRCODE = ''53100''; END'`;
  const { rows } = await during('disk full', service, async () => {
    await runSql(service.postgres)`CREATE TRIGGER full_disk BEFORE INSERT ON calculation
      FOR EACH ROW EXECUTE FUNCTION disk_full()`;
    return () => runSql(service.postgres)`DROP TRIGGER full_disk ON calculation`;
  });
  return rows;
};

export const databaseFaults = async (service: FaultService): Promise<Row[]> => [
  ...(await heldLock(service)),
  ...(await noConnection(service)),
  ...(await fullDisk(service)),
];
