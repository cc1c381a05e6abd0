import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { onPath } from './on-path.ts';

/** The redis-server (or valkey-server) on the PATH, or null. */
export const redisServer = onPath('redis-server', 'valkey-server');

/** Why Redis tests are skipped, for titles. */
export const redisNote = redisServer ? '' : ' (skipped: no redis-server on the PATH)';

/** A free port. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });

export interface RedisServer {
  url: string;
  pid: number;
  stop: () => Promise<void>;
}

/** Starts a Redis on a free port (or the given one) and waits until it answers. */
export const startRedis = async (port?: number): Promise<RedisServer> => {
  if (!redisServer) throw new Error('no redis-server on the PATH');
  const own = port ?? (await freePort());
  const folder = await mkdtemp(join(tmpdir(), 'efb-redis-'));
  const child = spawn(
    redisServer,
    ['--port', String(own), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder],
    { stdio: 'ignore' },
  );
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const { pid } = child;
  if (pid === undefined) throw new Error('redis-server did not start');
  const stop = async () => {
    child.kill('SIGKILL');
    await exited;
    await rm(folder, { recursive: true, force: true });
  };
  const url = `redis://127.0.0.1:${own}`;
  const probe = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: null });
  probe.on('error', () => {});
  const answered = await Promise.race([
    probe.ping().then(() => true),
    exited.then(() => false),
    new Promise<false>((resolve) => setTimeout(() => resolve(false), 240_000).unref()),
  ]);
  probe.disconnect();
  if (!answered) {
    await stop();
    throw new Error('redis-server did not answer');
  }
  return { url, pid, stop };
};
