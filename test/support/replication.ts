/**
 * A primary and a streaming replica of it, made of the embedded server as its documentation describes ("Making a base backup using the
 * low level API"):
 *
 *   const pair = await startPair();
 *   await pair.replica.pauseReplay();   // lag, as long as wanted
 */
import { spawnSync } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { prepareDatabase } from '#data/prepare.ts';
import { postgresAccount } from '#platform/embedded/account.ts';
import { startEmbedded } from '#platform/embedded/server.ts';
import type { EmbeddedServer } from '#platform/embedded/server.ts';

const database = 'efb';

export interface PairServer {
  server: EmbeddedServer;
  /** Of its database. */
  url: string;
  query: (text: string) => Promise<Record<string, unknown>[]>;
  /** As a loss of power; `server.start` starts it again. */
  kill: () => Promise<void>;
}

export interface Pair {
  primary: PairServer;
  replica: PairServer & {
    pauseReplay: () => Promise<void>;
    resumeReplay: () => Promise<void>;
    /** From then on it shows each commit so much later. */
    delayReplay: (ms: number) => Promise<void>;
    /** Returns once it is a primary. */
    promote: () => Promise<void>;
  };
  /** From then on a commit is answered when the replica has it on its disk. */
  commitOnBoth: () => Promise<void>;
  close: () => Promise<void>;
}

/** One connection for all questions; killed servers get another. */
const serverOf = (server: EmbeddedServer): PairServer & { end: () => Promise<void> } => {
  const url = server.urlOf(database);
  let connected: Promise<Client> | undefined;
  const connect = async (): Promise<Client> => {
    const client = new Client({ connectionString: url });
    client.on('error', () => {
      connected = undefined;
    });
    await client.connect();
    return client;
  };
  const end = async () => {
    const open = connected;
    connected = undefined;
    await (await open)?.end();
  };
  return {
    server,
    url,
    query: async (text) => {
      connected ??= connect();
      return (await (await connected).query<Record<string, unknown>>(text)).rows;
    },
    kill: async () => {
      await end();
      const died = new Promise<void>((resolve) => server.onDeath(resolve));
      process.kill(server.pid(), 'SIGKILL');
      await died;
    },
    end,
  };
};

/** Everything but the log and what belongs to the running server, while it goes on. */
const copyFiles = (from: string, to: string): void => {
  const excluded = ['postmaster.pid', 'postmaster.opts', './pg_wal/*', './pg_stat_tmp/*'].map(
    (name) => `--exclude=${name}`,
  );
  const copied = spawnSync(
    'sh',
    ['-c', 'tar -C "$1" -cf - $3 . | tar -C "$2" -xpf -', 'sh', from, to, excluded.join(' ')],
    { encoding: 'utf8' },
  );
  // A file that grows while it is read is no error: the log has what was missed.
  if (copied.status !== 0) throw new Error(`the copy failed: ${copied.stderr}`);
};

const startReplica = async (
  primary: PairServer,
  from: string,
  { folder, durable }: { folder: string; durable: boolean },
): Promise<EmbeddedServer> => {
  const to = join(folder, '18');
  const account = postgresAccount();
  await mkdir(to, { recursive: true });
  const password = await readFile(join(from, 'efb-password'), 'utf8');
  await primary.query(`SELECT pg_backup_start('pair', true)`);
  copyFiles(from, to);
  const [label] = await primary.query(`SELECT labelfile FROM pg_backup_stop(false)`);
  const { port } = primary.server;
  const files: Record<string, string> = {
    backup_label: String(label?.['labelfile']),
    'standby.signal': '',
    'postgresql.auto.conf': `primary_conninfo = 'host=127.0.0.1 port=${port} user=efb password=${password}'\nwal_retrieve_retry_interval = '100ms'\n`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(to, name), text, { mode: 0o600 });
  await mkdir(join(to, 'pg_wal/archive_status'), { recursive: true });
  await chmod(to, 0o700);
  if (account) {
    await chown(folder, account.uid, account.gid);
    spawnSync('chown', ['-R', `${account.uid}:${account.gid}`, to]);
  }
  return startEmbedded({ folder, durable, isReplicable: true });
};

/** `durable`: what is committed is flushed to the disk, as in service. */
export const startPair = async ({
  durable = false,
  encryptionKeys = [],
}: { durable?: boolean; encryptionKeys?: readonly string[] } = {}): Promise<Pair> => {
  const folder = await mkdtemp(join(tmpdir(), 'efb-pair-'));
  await chmod(folder, 0o755);
  const first = join(folder, 'first');
  const server = await startEmbedded({ folder: first, durable, isReplicable: true });
  const admin = new Client({ connectionString: server.urlOf('postgres') });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${database} STRATEGY file_copy`);
  await admin.end();
  await prepareDatabase({ DATABASE_URL: server.urlOf(database), ENCRYPTION_KEYS: encryptionKeys });
  const primary = serverOf(server);
  // As a real one; what is written to the disk in the end is not tested.
  await primary.query(`ALTER DATABASE ${database} SET synchronous_commit = on`);
  const second = await startReplica(primary, join(first, '18'), { folder: join(folder, 'second'), durable });
  const replica = serverOf(second);
  return {
    primary,
    replica: {
      ...replica,
      pauseReplay: async () => {
        await replica.query('SELECT pg_wal_replay_pause()');
        const state = `SELECT FROM (SELECT pg_get_wal_replay_pause_state() AS state) s WHERE state = 'paused'`;
        while ((await replica.query(state)).length === 0);
      },
      resumeReplay: async () => void (await replica.query('SELECT pg_wal_replay_resume()')),
      delayReplay: async (ms) => {
        await replica.query(`ALTER SYSTEM SET recovery_min_apply_delay = ${ms}`);
        await replica.query('SELECT pg_reload_conf()');
      },
      promote: async () => void (await replica.query('SELECT pg_promote()')),
    },
    commitOnBoth: async () => {
      await primary.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
      await primary.query('SELECT pg_reload_conf()');
    },
    close: async () => {
      await Promise.all([primary.end(), replica.end()]);
      await Promise.all([second.stop(), server.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
};
