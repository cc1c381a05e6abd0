/** Memory of an API called by one user after another. Linux only. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChildProcess } from 'node:child_process';
import { createTokens } from '#store/auth/tokens.ts';
import { readConfig } from '#platform/config/config.ts';
import { benchKey } from '../support/accounts.ts';
import { pssMb } from '../support/memory.ts';
import { check } from '../support/rows.ts';
import type { Row } from '../support/rows.ts';
import { benchSecrets } from '../support/secrets.ts';
import type { Stand } from '../support/servers.ts';
import type { Account } from './calls.ts';

const different = 50_000;
const barMb = 600;
/** Limit of the largest figure in the last half relative to its first. */
const barGrowth = 1.1;
const connections = 16;
/** Below the rate that the request log can write on two cores, since rows waiting for it take memory. */
const usersPerSecond = 200;
const samples = 20;
const queries = ['refreshUserData', 'userStatistics'];
/** Limit of the memory that one export may add, however large it is. */
const barExportMb = 100;
const everyMs = 20;

const headersOf = (token: string) => ({
  'content-type': 'application/json',
  authorization: `Bearer ${token}`,
  'x-dev-key': benchKey,
});

/** MB retained by the process, without garbage, which does not count as growth. */
const keptMb = async (child: ChildProcess): Promise<number> => {
  const collected = new Promise<void>((done) => {
    const hear = (message: { collected?: boolean }) => {
      if (message.collected !== true) return;
      child.off('message', hear);
      done();
    };
    child.on('message', hear);
  });
  child.send('collect');
  await collected;
  return pssMb(child.pid ?? 0);
};

/** Memory added at most by an account's export, after an earlier one has loaded all modules. */
export const exportRow = async (stand: Stand, { token }: Account): Promise<Row> => {
  const { url, child } = await stand.start('apps/api/main.ts');
  const exported = async () => {
    const response = await fetch(`${url}/api`, {
      method: 'POST',
      headers: headersOf(token),
      body: JSON.stringify({ query: 'exportMyData', data: {} }),
    });
    if (!response.ok) throw new Error(`exportMyData answered ${response.status}`);
    let bytes = 0;
    for await (const chunk of response.body ?? []) bytes += chunk.length;
    return bytes;
  };
  await exported();
  const before = await keptMb(child);
  const seen: number[] = [];
  const timer = setInterval(() => void pssMb(child.pid ?? 0).then((mb) => seen.push(mb)), everyMs);
  const bytes = await exported();
  clearInterval(timer);
  const added = Math.max(...seen) - before;
  const shown = `${added.toFixed(0)} MB for ${(bytes / 1e6).toFixed(1)} MB`;
  return check('memory of the export of a heavy account', added < barExportMb, shown, `< ${barExportMb} MB`);
};

export const memoryRows = async (
  stand: Stand,
  { from, users }: { from: number; users: number },
): Promise<Row[]> => {
  const { url, child } = await stand.start('apps/api/main.ts');
  const tokens = createTokens(readConfig({ DATABASE_URL: stand.databaseUrl, ...benchSecrets }), {
    now: () => new Date(),
  });
  const count = Math.min(different, users);
  const megabytes: number[] = [];
  const kept: number[] = [];
  let next = 0;
  const startedMs = performance.now();
  const client = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      const number = next;
      await sleep(Math.max(0, startedMs + (1_000 * number) / usersPerSecond - performance.now()));
      if (number % Math.ceil(count / samples) === 0) {
        megabytes.push(await pssMb(child.pid ?? 0));
        kept.push(await keptMb(child));
      }
      const { token } = await tokens.issue({ userId: from + number, developerKeyId: 1, generation: 1 });
      for (const query of queries) {
        const response = await fetch(`${url}/api`, {
          method: 'POST',
          headers: headersOf(token),
          body: JSON.stringify({ query, data: {} }),
        });
        await response.arrayBuffer();
      }
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  const half = kept.slice(Math.floor(kept.length / 2));
  const largest = Math.max(...half);
  const growth = largest / (half[0] ?? Number.NaN);
  const shown = `${megabytes.map((mb) => mb.toFixed(0)).join(' ')} MB PSS after ${count} users`;
  return [
    check('memory of the API', Math.max(...megabytes) < barMb, shown, `< ${barMb} MB`),
    check(
      'its growth in the last half',
      growth <= barGrowth,
      `${growth.toFixed(2)} times, kept ${kept.map((mb) => mb.toFixed(0)).join(' ')} MB`,
      `<= ${barGrowth} times`,
    ),
  ];
};
