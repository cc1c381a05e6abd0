/** The three nodes of deploy/patroni on this machine: its files, with addresses of the loopback network and other folders. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { chmod, chown, copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { postgresAccount } from '#platform/embedded/account.ts';
import { onPath } from '#test/support/on-path.ts';
import { isAlive } from '#test/support/process.ts';
import { preparePrograms } from './patroni-tools.ts';

const deploy = resolve(import.meta.dirname, '../../../deploy/patroni');
export const nodes = ['db1', 'db2', 'db3'] as const;
export type NodeName = (typeof nodes)[number];
const addressOf = (node: NodeName): string => `127.0.18.1${node.slice(2)}`;
const password = 'change-me';

const memberSchema = z.object({
  name: z.enum(nodes),
  role: z.string(),
  state: z.string(),
  timeline: z.number().optional(),
  lag: z.union([z.number(), z.string()]).optional(),
});
export type Member = z.output<typeof memberSchema>;

export interface PatroniCluster {
  /** Addresses of the database of the service: of all nodes, and of one. */
  url: string;
  urlOf: (node: NodeName) => string;
  replicates: string;
  members: () => Promise<Member[]>;
  /** Returns once the members are as wanted. */
  until: (what: string, isSo: (members: Member[]) => boolean, limitMs?: number) => Promise<Member[]>;
  start: (node: NodeName) => void;
  /** As a loss of power: etcd, Patroni and Postgres of the node. */
  kill: (node: NodeName) => Promise<void>;
  killPostgres: (node: NodeName) => Promise<void>;
  patronictl: (...args: string[]) => Promise<void>;
  close: () => Promise<void>;
}

/** Variables of a file of deploy/patroni for one node; lists of all nodes keep their names. */
const variablesOf = async (file: string, node: NodeName): Promise<Record<string, string>> => {
  const text = (await readFile(join(deploy, file), 'utf8')).replaceAll('10.0.0.1', '127.0.18.1');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
      const isList = value.includes(addressOf('db3'));
      return [
        name,
        isList ? value : value.replaceAll('db1', node).replaceAll(addressOf('db1'), addressOf(node)),
      ];
    }),
  );
};

const end = async (child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> => {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
};

export const startPatroni = async (): Promise<PatroniCluster> => {
  const folder = await mkdtemp(join(tmpdir(), 'efb-patroni-'));
  await chmod(folder, 0o755);
  const account = postgresAccount();
  const own = async (name: string): Promise<string> => {
    const path = join(folder, name);
    await mkdir(path);
    if (account) await chown(path, account.uid, account.gid);
    return path;
  };
  const { bin, replicates } = await preparePrograms(folder, password);
  const config = join(folder, 'config.yml');
  await copyFile(join(deploy, 'patroni.yml'), config);
  await chmod(config, 0o644);
  const base = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8', TZ: 'UTC', HOME: folder };
  const environments = new Map<NodeName, Record<string, string>>();
  for (const node of nodes) {
    const place = await own(node);
    environments.set(node, {
      ...base,
      ...(await variablesOf('patroni.env', node)),
      ...(await variablesOf('etcd.env', node)),
      ETCD_DATA_DIR: join(place, 'etcd'),
      PATRONI_POSTGRESQL_BIN_DIR: bin,
      PATRONI_POSTGRESQL_DATA_DIR: join(place, 'data'),
      PATRONI_POSTGRESQL_PGPASS: join(place, 'pgpass'),
    });
  }
  const children = new Map<string, ChildProcess>();
  const launch = (node: NodeName, program: 'etcd' | 'patroni'): void => {
    const log = openSync(join(folder, `${node}-${program}.log`), 'a');
    const child = spawn(onPath(program) ?? program, program === 'patroni' ? [config] : [], {
      ...account,
      cwd: '/',
      env: environments.get(node),
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    children.set(`${node} ${program}`, child);
  };
  const postmasterOf = async (node: NodeName): Promise<number | null> => {
    const text = await readFile(join(folder, node, 'data/postmaster.pid'), 'utf8').catch(() => '');
    const pid = Number(text.split('\n')[0]);
    return pid > 1 && isAlive(pid) ? pid : null;
  };
  const killPostgres = async (node: NodeName): Promise<void> => {
    const pid = await postmasterOf(node);
    if (pid !== null) process.kill(pid, 'SIGKILL');
  };
  const start = (node: NodeName): void => {
    launch(node, 'etcd');
    launch(node, 'patroni');
  };
  const members = async (): Promise<Member[]> => {
    for (const node of nodes) {
      try {
        const response = await fetch(`http://${addressOf(node)}:8008/cluster`, {
          signal: AbortSignal.timeout(2_000),
        });
        return z.object({ members: z.array(memberSchema) }).parse(await response.json()).members;
      } catch {
        // This node is down; another one knows, too.
        continue;
      }
    }
    return [];
  };
  const logs = async (): Promise<string> => {
    const texts = nodes.map((node) => readFile(join(folder, `${node}-patroni.log`), 'utf8'));
    return (await Promise.all(texts)).map((text) => text.split('\n').slice(-15).join('\n')).join('\n---\n');
  };
  const until: PatroniCluster['until'] = async (what, isSo, limitMs = 90_000) => {
    const deadline = performance.now() + limitMs;
    for (;;) {
      const now = await members();
      if (isSo(now)) return now;
      if (performance.now() > deadline)
        throw new Error(`waited for ${what}: ${JSON.stringify(now)}\n${await logs()}`);
      await sleep(100);
    }
  };
  const run = async (program: string, args: string[], env: Record<string, string>): Promise<void> => {
    const child = spawn(program, args, {
      cwd: '/',
      env: { ...base, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => void (output += text));
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}: ${output}`);
  };
  const close = async (): Promise<void> => {
    const ofAll = (program: string) => nodes.map((node) => children.get(`${node} ${program}`));
    // Patroni stops its Postgres; what it leaves is killed.
    await Promise.all(ofAll('patroni').map((child) => end(child, 'SIGTERM')));
    for (const node of nodes) await killPostgres(node);
    await Promise.all(ofAll('etcd').map((child) => end(child, 'SIGTERM')));
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  };
  const urlOf = (node: NodeName): string => `postgres://efb:${password}@${addressOf(node)}:5432/efb`;
  const hosts = nodes.map((node) => `${addressOf(node)}:5432`);
  try {
    for (const node of nodes) start(node);
    const ready = await until(
      'the first start',
      (all) =>
        all.length === 3 &&
        all.every(({ state }) => state === 'running' || state === 'streaming') &&
        all.some(({ role }) => role === 'sync_standby'),
      180_000,
    );
    const leader = ready.find(({ role }) => role === 'leader')?.name ?? 'db1';
    const args = [
      '-h',
      addressOf(leader),
      '-U',
      'postgres',
      '-v',
      `password=${password}`,
      '-v',
      'ON_ERROR_STOP=1',
    ];
    await run('psql', [...args, '-f', join(deploy, 'database.sql')], { PGPASSWORD: password });
  } catch (error) {
    await close();
    throw error;
  }
  return {
    url: `postgres://efb:${password}@${hosts.join()}/efb?target_session_attrs=read-write`,
    urlOf,
    replicates,
    members,
    until,
    start,
    kill: async (node) => {
      await Promise.all([
        end(children.get(`${node} patroni`), 'SIGKILL'),
        killPostgres(node),
        end(children.get(`${node} etcd`), 'SIGKILL'),
      ]);
    },
    killPostgres,
    patronictl: (...given) => run('patronictl', ['-c', config, ...given], environments.get('db1') ?? {}),
    close,
  };
};
