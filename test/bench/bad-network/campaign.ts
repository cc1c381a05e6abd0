/** Three pads of two pilots make edits over a bad network with wrong clocks, and are killed; then everything is compared. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Postgres } from '#store/postgres/pool.ts';
import { bareEnvironment } from '#test/support/process.ts';
import { createClient } from '../../../clients/typescript/src/index.ts';
import { memoryStore } from '../../../clients/typescript/src/outbox/index.ts';
import { historyOf, watchHistory } from './history.ts';
import { judge } from './judge.ts';
import type { Verdict } from './judge.ts';
import type { PadMessage, PadStart } from './pad-process.ts';
import { openPad } from './pad.ts';
import type { Dump } from './pad.ts';
import { startBadNetwork } from './proxy.ts';
import type { BadNetwork } from './proxy.ts';
import { randomOf } from './random.ts';
import { plansOf, shareForEditing } from './pilots.ts';
import type { Pilot } from './pilots.ts';

export interface Campaign {
  url: string;
  postgres: Postgres;
  pilots: readonly [Pilot, Pilot];
  devKey: string;
  /** Folder for the pads' stores. */
  folder: string;
  edits: number;
  kills: number;
  seed: string;
}

export interface Ending extends Verdict {
  kills: number;
  crashes: string[];
  /** Rows that a pad shows differently from the service. */
  different: string[];
  network: Map<string, number>;
}

const pads = [
  { name: 'A1', pilot: 0, clockSeconds: -47 * 60 },
  { name: 'A2', pilot: 0, clockSeconds: 2 * 3_600 },
  { name: 'B1', pilot: 1, clockSeconds: -26 * 3_600 },
] as const;

const script = join(import.meta.dirname, 'pad-process.ts');
const clock = pathToFileURL(join(import.meta.dirname, '../faults/moving-clock.ts')).href;

interface RunningPad {
  start: PadStart;
  kill: () => Promise<void>;
  /** All edits are made and sent. */
  done: Promise<void>;
  dump: () => Promise<Dump>;
  stop: () => void;
}

const runPad = (
  start: PadStart,
  clockFile: string,
  { onMade, onCrash }: { onMade: () => void; onCrash: (output: string) => void },
): RunningPad => {
  const done = Promise.withResolvers<void>();
  const dumped = Promise.withResolvers<Dump>();
  // Prevents unhandled rejections; whoever awaits these promises reports the crash.
  for (const each of [done, dumped]) each.promise.catch(() => undefined);
  let child: ChildProcess;
  let isKilled = false;
  const begin = (): void => {
    isKilled = false;
    let output = '';
    child = spawn(process.execPath, ['--import', clock, script], {
      env: { ...bareEnvironment(), FAULT_CLOCK_FILE: clockFile, PAD: JSON.stringify(start) },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    child.stdout?.on('data', (chunk) => void (output += String(chunk)));
    child.stderr?.on('data', (chunk) => void (output += String(chunk)));
    child.on('message', (message: PadMessage) => {
      if ('made' in message) onMade();
      else if ('done' in message) done.resolve();
      else dumped.resolve(message.dump);
    });
    child.once('exit', (code) => {
      if (isKilled || code === 0) return;
      onCrash(output);
      done.reject(new Error(`the pad ${start.name} has crashed: ${output}`));
      dumped.reject(new Error(`the pad ${start.name} has crashed: ${output}`));
    });
  };
  begin();
  return {
    start,
    kill: async () => {
      isKilled = true;
      const gone = new Promise((resolve) => {
        child.once('exit', resolve);
      });
      child.kill('SIGKILL');
      await gone;
      begin();
    },
    done: done.promise,
    dump: () => {
      child.send('finish');
      return dumped.promise;
    },
    stop: () => {
      isKilled = true;
      child.kill('SIGKILL');
    },
  };
};

const differences = (name: string, here: Dump, there: Dump): string[] => {
  const texts = ({ rows }: Dump) => new Set(rows.map((row) => JSON.stringify(row)));
  const [shown, stored] = [texts(here), texts(there)];
  return [
    ...[...shown].filter((row) => !stored.has(row)).map((row) => `${name} shows ${row}`),
    ...[...stored].filter((row) => !shown.has(row)).map((row) => `${name} lacks ${row}`),
  ];
};

/** The account as read by a new device over a good network. */
const readAll = async ({ url, devKey, seed }: Campaign, { token }: Pilot, start: PadStart): Promise<Dump> => {
  const client = createClient({ baseUrl: url, devKey, token: { token, expires: '2999-01-01T00:00:00Z' } });
  const reader = await openPad(client, memoryStore(), { ...start, seed, edits: 0 });
  await reader.pull();
  return reader.dump();
};

export const runCampaign = async (campaign: Campaign): Promise<Ending> => {
  const { url, postgres, pilots, devKey, folder, edits, seed } = campaign;
  const random = randomOf(`${seed} campaign`);
  await watchHistory(postgres);
  const own = [await plansOf(campaign, pilots[0], 2), await plansOf(campaign, pilots[1], 1)] as const;
  await shareForEditing(postgres, own[0][0] ?? '', pilots);
  await mkdir(folder, { recursive: true });
  const networks: BadNetwork[] = [];
  const running: RunningPad[] = [];
  const crashes: string[] = [];
  let made = 0;
  let kills = 0;
  /** Edits after which a pad is killed; a killed pad does not repeat edits that it has stored. */
  const killAt = Array.from({ length: campaign.kills }, () =>
    random.upTo(Math.max(1, Math.floor(edits * 0.95))),
  ).toSorted((a, b) => a - b);
  let killing: Promise<void> = Promise.resolve();
  const onMade = (): void => {
    made += 1;
    while (killAt[0] !== undefined && killAt[0] <= made) {
      killAt.shift();
      killing = killing.then(async () => {
        await random.one(running)?.kill();
        kills += 1;
      });
    }
  };
  try {
    for (const [n, { name, pilot, clockSeconds }] of pads.entries()) {
      const network = await startBadNetwork(url, randomOf(`${seed} network ${name}`));
      networks.push(network);
      const clockFile = join(folder, `${name}.clock`);
      await writeFile(clockFile, String(clockSeconds));
      const ownPlans = own[pilot];
      const start: PadStart = {
        name,
        seed,
        edits: Math.floor(edits / pads.length) + (n < edits % pads.length ? 1 : 0),
        ownPlans,
        plans: pilot === 1 ? [...ownPlans, ...own[0].slice(0, 1)] : ownPlans,
        baseUrl: network.url,
        token: pilots[pilot].token,
        devKey,
        path: join(folder, `${name}.store`),
      };
      running.push(runPad(start, clockFile, { onMade, onCrash: (output) => void crashes.push(output) }));
    }
    await Promise.all(running.map(({ done }) => done));
    await killing;
    await Promise.all(networks.map(({ mend }) => mend()));
    // The first pad may change rows that the others have, so these read again.
    const dumps = await Promise.all(running.map(({ dump }) => dump()));
    const different: string[] = [];
    for (const [n, dump] of dumps.entries()) {
      const pad = running[n];
      const pilot = pilots[pads[n]?.pilot ?? 0];
      if (pad)
        different.push(...differences(pad.start.name, dump, await readAll(campaign, pilot, pad.start)));
    }
    const ledger = new Map(dumps.flatMap(({ made: edited }) => edited));
    const network = new Map<string, number>();
    for (const { counts } of networks)
      for (const [fault, count] of counts) network.set(fault, (network.get(fault) ?? 0) + count);
    return { ...judge(ledger, await historyOf(postgres)), kills, crashes, different, network };
  } finally {
    for (const { stop } of running) stop();
    for (const network of networks) await network.close();
  }
};
