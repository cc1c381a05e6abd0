/**
 * Devices listen at two API processes that read from a replica, while the replica is killed again and again; then the primary is
 * killed and the replica promoted. Cursors are of another history then: each device reads all rows once, and goes on.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { useFastTemporary } from '#test/support/fast-temporary.ts';
import { benchUsers } from '../support/accounts.ts';
import { benchPostgres } from '../support/latency.ts';
import { createPairStand } from '../support/pair.ts';
import { check } from '../support/rows.ts';
import type { Row } from '../support/rows.ts';
import { startListening } from './devices.ts';
import type { Listening } from './devices.ts';

const accounts = 4;
const betweenMs = 500;
/** Until somebody has noticed that the primary is gone. */
const noticeMs = 500;

export const failoverOf = async (kills: number): Promise<Row[]> => {
  await useFastTemporary();
  const { pair, stand, severalUrl } = await createPairStand();
  let listening: Listening | undefined;
  try {
    const postgres = benchPostgres(stand);
    const tokens = await benchUsers(stand, postgres, accounts);
    const env = { DATABASE_URL: severalUrl, DATABASE_READ_URLS: pair.replica.url, LOG_LEVEL: 'silent' };
    const { url: first } = await stand.start('apps/api/main.ts', env);
    const { url: second } = await stand.start('apps/api/main.ts', env);
    listening = await startListening(postgres, { urls: [first, second], tokens, accounts });
    await postgres.close();
    for (let n = 0; n < kills; n += 1) {
      await sleep(betweenMs);
      await pair.replica.kill();
      await sleep(betweenMs);
      await pair.replica.server.start();
    }
    await pair.commitOnBoth();
    await sleep(2_000);
    await pair.primary.kill();
    await sleep(noticeMs);
    await pair.replica.promote();
    await sleep(3_000);
    const { rows, readInFull } = await listening.end(`${kills} kills of a replica, then its promotion`);
    return [
      ...rows,
      check(
        'promotion: devices read all rows once',
        readInFull.every((times) => times === 1),
        readInFull.join(' '),
        '1 each',
      ),
    ];
  } finally {
    await listening?.stop();
    await stand.close();
  }
};
