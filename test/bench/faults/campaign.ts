/**
 * Ten worker processes, three databases and the whole service are killed, and Redis loses its data, while
 * clients work.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { sql } from '#store/postgres/sql.ts';
import { redisServer, startRedis } from '#test/support/redis.ts';
import { runSql } from '#test/support/sql.ts';
import { until } from '#test/support/until.ts';
import type { Row } from '../support/rows.ts';
import { startWork } from './clients.ts';
import type { Work } from './clients.ts';
import { codesRow, ledgerRow, recoveryRow } from './ledger.ts';
import { flushedPictures } from './pictures.ts';
import { startFaultService } from './service.ts';
import type { FaultService } from './service.ts';

const workerKills = 10;
/** Worker kills after which another part is damaged too. */
const alsoStruck: Readonly<Record<number, 'postgres' | 'api' | 'redis'>> = {
  1: 'postgres',
  3: 'redis',
  4: 'postgres',
  6: 'api',
  8: 'postgres',
};
const pauseMs = 1_500;
const drainLimitMs = 120_000;

/** From a kill to the next acknowledged calculation. */
const nextAcknowledged = ({ calculations }: Work, at: number): number =>
  Math.min(...[...calculations.values()].map((each) => each.at).filter((each) => each > at)) - at;

/** New accounts are mailed as well. */
const resetMails = ({ mail }: FaultService) =>
  mail.accepted.filter(({ subject }) => subject === 'Reset your password');

/** Time from a kill until the mail server has accepted the last mail acknowledged before the kill. */
const backlogDone = ({ resets }: Work, service: FaultService, at: number): number => {
  const accepted = new Map(resetMails(service).map(({ to, at: when }) => [to, when]));
  const earlier = [...resets].filter(([, when]) => when < at).map(([to]) => accepted.get(to) ?? Infinity);
  return Math.max(0, Math.max(0, ...earlier) - at);
};

/** Each stored drawing has one row here, so a repetition shows as a second row. */
const watchPictures = async ({ postgres }: FaultService): Promise<void> => {
  await runSql(postgres)`CREATE TABLE seen_picture (calculation_id bigint, name text, format text)`;
  await runSql(postgres)`
    CREATE FUNCTION see_picture() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN INSERT INTO seen_picture VALUES (NEW.calculation_id, NEW.name, NEW.format); RETURN NULL; END'`;
  await runSql(postgres)`CREATE TRIGGER see AFTER UPDATE ON graphic FOR EACH ROW
    WHEN (NEW.path IS NOT NULL) EXECUTE FUNCTION see_picture()`;
};

const strike = async (service: FaultService, redisUrl: string | undefined) => {
  const struck = { worker: [] as number[], database: [] as number[] };
  for (let n = 0; n < workerKills; n += 1) {
    await sleep(pauseMs);
    struck.worker.push(await service.kill('jobs'));
    const also = alsoStruck[n];
    if (also === 'redis' && redisUrl !== undefined) {
      const redis = new Redis(redisUrl);
      await redis.flushall();
      await redis.quit();
    } else if (also === 'postgres') struck.database.push(await service.kill('postgres'));
    else if (also === 'api') await service.kill(also);
  }
  await sleep(pauseMs);
  return struck;
};

const textsOf = async (service: FaultService, statement: ReturnType<typeof sql>): Promise<string[]> =>
  (await service.postgres.db.any<{ text: string }>(statement)).map(({ text }) => text);

const campaign = async (queue: string, redisUrl: string | undefined): Promise<Row[]> => {
  const service = await startFaultService(redisUrl === undefined ? {} : { REDIS_URL: redisUrl });
  try {
    await watchPictures(service);
    const work = startWork(service);
    const struck = await strike(service, redisUrl);
    await work.stop();
    const { postgres } = service;
    const waiting = () =>
      postgres.db.one<{ n: number }>(sql`SELECT count(*) AS n FROM graphic WHERE drawn_at IS NULL`);
    await until(
      'every acknowledged mail is accepted',
      () => {
        const accepted = new Set(resetMails(service).map(({ to }) => to));
        return [...work.resets.keys()].every((to) => accepted.has(to));
      },
      drainLimitMs,
    ).catch(() => undefined);
    await until('every picture is drawn', async () => (await waiting()).n === 0, drainLimitMs).catch(
      () => undefined,
    );
    const stored = await textsOf(
      service,
      sql`SELECT request -> 'weight' ->> 'landingWeight' AS text FROM calculation`,
    );
    const accounts = await textsOf(
      service,
      sql`SELECT email AS text FROM app_user WHERE email LIKE '%@faults.example'`,
    );
    const drawn = await textsOf(
      service,
      sql`SELECT calculation_id || ' ' || name || ' ' || format AS text FROM seen_picture`,
    );
    const asked = await textsOf(
      service,
      sql`SELECT calculation_id || ' ' || name || ' ' || format AS text FROM graphic`,
    );
    const weights = [...work.calculations.values()].map(({ weightKg }) => String(weightKg));
    return [
      ledgerRow(`${queue}: calculations`, weights, stored),
      ledgerRow(`${queue}: accounts`, work.accounts, accounts),
      ledgerRow(
        `${queue}: mails`,
        work.resets.keys(),
        resetMails(service).map(({ to }) => to),
      ),
      ledgerRow(`${queue}: pictures`, asked, drawn),
      recoveryRow(
        `${queue}: worker killed, mails before it sent`,
        struck.worker.map((at) => backlogDone(work, service, at)),
        15_000,
      ),
      recoveryRow(
        `${queue}: database killed, next calculation`,
        struck.database.map((at) => nextAcknowledged(work, at)),
        15_000,
      ),
      codesRow(`${queue}: answers`, work.codes),
      ...(redisUrl === undefined ? [] : await flushedPictures(service, redisUrl)),
    ];
  } finally {
    await service.close();
  }
};

export const campaigns = async (): Promise<Row[]> => {
  const rows = await campaign('kills, jobs on Postgres', undefined);
  if (!redisServer) {
    console.log('  (no redis-server on the PATH: the campaign on Redis is skipped)');
    return rows;
  }
  const redis = await startRedis();
  try {
    return [...rows, ...(await campaign('kills, jobs on Redis', redis.url))];
  } finally {
    await redis.stop();
  }
};
