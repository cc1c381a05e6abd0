/** Three APIs and two workers of one version or the other, replaced one by one under load. */
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { until } from '#test/support/until.ts';
import type { Stand, Started } from '../support/servers.ts';
import type { Front } from './front.ts';

type Tier = 'api' | 'workers';

export interface Place {
  tier: Tier;
  /** Root of the version that runs here. */
  folder: string;
  started: Started;
}

export interface Fleet {
  places: Place[];
  /**
   * Starts a process of another version, waits until it is ready, then ends the previous one with SIGTERM.
   */
  replace: (place: Place, folder: string) => Promise<void>;
  /** Processes that did not exit cleanly. */
  badEnds: string[];
}

/**
 * Starting takes a core for seconds, and eight processes share few cores, so a starting process has low
 * priority until it is ready. Only root may raise a priority again.
 */
const giveWay = (pid: number, isStarting: boolean): void => {
  if (process.getuid?.() !== 0) return;
  for (const thread of readdirSync(`/proc/${pid}/task`))
    setPriority(Number(thread), isStarting ? 19 : getPriority());
};

const tiers: readonly Tier[] = ['workers', 'workers', 'api', 'api', 'api'];

export const startFleet = async (
  stand: Stand,
  front: Front,
  { folder, env }: { folder: string; env: Record<string, string> },
): Promise<Fleet> => {
  const begin = async (tier: Tier, from: string): Promise<Started> => {
    const started = await stand.start(`apps/${tier}/main.ts`, env, {
      from,
      spawned: (pid) => giveWay(pid, true),
    });
    giveWay(started.child.pid ?? 0, false);
    if (tier === 'api') {
      front.add(started.url);
      await until('a new API is ready', () => front.isReady(started.url), 60_000);
    }
    return started;
  };
  const places: Place[] = [];
  for (const tier of tiers) places.push({ tier, folder, started: await begin(tier, folder) });
  const badEnds: string[] = [];
  return {
    places,
    badEnds,
    replace: async (place, next) => {
      const { tier, started: before } = place;
      place.started = await begin(tier, next);
      place.folder = next;
      const ended = once(before.child, 'exit');
      before.child.kill('SIGTERM');
      const [code] = (await ended) as [number | null];
      if (tier === 'api') front.remove(before.url);
      if (code !== 0) badEnds.push(`${tier} ended with ${code}`);
    },
  };
};
