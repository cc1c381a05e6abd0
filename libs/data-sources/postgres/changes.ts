/**
 * Caches of a process follow the changes that commits write (`cache_change` in the migrations): it reads on when it is woken,
 * which is soon after each commit, and several times a second in any case, since a process that ends between its commit and
 * the waking wakes nobody.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { CacheChange } from '#domain/announcement.ts';
import { cacheChangeRepo, cacheChangeWrites } from './cache-changes.ts';
import type { Postgres } from './pool.ts';

/** Of a row of `cache_change`, whose ids are those of the kind. */
export const changeKinds = [
  'user',
  /** What the user object shows of the account itself. */
  'user_profile',
  'session',
  'product',
  'developer_key',
  /** Hexadecimal SHA-256 of the key. */
  'developer_key_hash',
  'virtual_airline',
  /** Which checklists the community is offered, and since when; accounts that were disabled or enabled. */
  'community',
  /** Airport, runway directions, exits, intersections, operator's data; by ICAO code, as are those below. */
  'airport',
  /** The list of available airports. */
  'airport_list',
  'notam',
  'metar',
  'taf',
  'datis',
  /** Reports of pilots and aircraft. */
  'pirep',
  /** The SIGMETs and AIRMETs. */
  'sigmet',
  /** All profiles of an owner: `u` and the id of a user, `v` and that of an airline. */
  'fleet',
  /** What airportStatus shows besides: obstacles, the changelog, the map. */
  'airport_status',
  /** Last success of each feed. */
  'feed_state',
  /** Which winds are in use. */
  'wind_cycle',
] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** What is dropped when something of a kind changes. */
export interface Follower {
  drop: (id: string) => void;
  clear: () => void;
}

export type Followers = Readonly<Record<ChangeKind, readonly Follower[]>>;

export interface Changes {
  /** False while changes may be missed: cached data must not be trusted then. */
  readonly isCurrent: () => boolean;
  /** Handles one change. */
  hear: (change: CacheChange) => void;
  /** Drops everything: changes may have been missed. */
  lose: () => void;
  /** Something has been committed. */
  wake: () => void;
  /** Resolves when all changes committed before this call have been heard; while the database is away, at the next attempt. */
  caughtUp: () => Promise<void>;
  close: () => Promise<void>;
}

export interface ChangesOptions {
  /** Its connections lead to the server itself, and to no pool of the calls, for which the reading would wait. */
  postgres: Pick<Postgres, 'db' | 'single'>;
  log: Logger;
  followers: Followers;
  pollMs?: number;
}

const defaultPollMs = 200;
/** Between the beginnings of two readings, however many commits there are. */
const restMs = 10;
/** Longer than a reading takes on a machine with much to do, shorter than anyone notices. */
const trustMs = 2_000;
/** Older than what any process that trusts its caches has read. */
const dropAfterMs = 60_000;

const isKind = (kind: string): kind is ChangeKind => (changeKinds as readonly string[]).includes(kind);

export const createChanges = ({
  postgres,
  log,
  followers,
  pollMs = defaultPollMs,
}: ChangesOptions): Changes => {
  const repo = cacheChangeRepo(postgres.db);
  let position: { seen: string; session: string } | null = null;
  /** When the last reading that was answered began. */
  let currentAsOf = -Infinity;
  let hasFailed = false;
  let isClosed = false;
  let isWoken = false;
  let endPause: (() => void) | undefined;
  let waiting: (() => void)[] = [];
  let old = { seen: '', at: performance.now() };
  let dropping: Promise<unknown> = Promise.resolve();

  const read = async (): Promise<void> => {
    const began = performance.now();
    const { changes, ...now } = await repo.since(position?.seen ?? null);
    // What was loaded before this reading may be older than its snapshot, and rows may have been lost with the old session.
    const isSame = position?.session === now.session && began - currentAsOf < dropAfterMs / 2;
    if (isSame) changes.forEach(self.hear);
    else {
      self.lose();
      old = { seen: '', at: began };
    }
    position = now;
    currentAsOf = began;
  };

  /** Beside the reading, which must wait for nothing and is as good without it. */
  const dropOld = (): void => {
    if (performance.now() - old.at < dropAfterMs || position === null) return;
    const { seen } = old;
    old = { seen: position.seen, at: performance.now() };
    if (seen === '') return;
    dropping = postgres
      .single((tx) => cacheChangeWrites(tx).drop(seen))
      .catch((error: unknown) => log.warn({ err: error }, 'changes that all have read could not be dropped'));
  };

  const attempt = async (): Promise<void> => {
    try {
      await read();
      hasFailed = false;
      dropOld();
    } catch (error) {
      position = null;
      currentAsOf = -Infinity;
      self.lose();
      if (!hasFailed && !isClosed)
        log.warn({ err: error }, 'changes cannot be read: nothing is cached until they can');
      hasFailed = true;
    }
  };

  const wake = (): void => {
    isWoken = true;
    endPause?.();
  };

  /** Until somebody wakes it, or this time has passed. */
  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, pollMs);
      timer.unref();
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const follow = async (): Promise<void> => {
    while (!isClosed) {
      const began = performance.now();
      const heard = waiting;
      waiting = [];
      isWoken = false;
      await attempt();
      for (const resolve of heard) resolve();
      if (!isWoken && !isClosed) await pause();
      const leftMs = restMs - (performance.now() - began);
      if (leftMs > 0 && !isClosed) await sleep(leftMs, undefined, { ref: false });
    }
    for (const resolve of waiting) resolve();
  };

  const self: Changes = {
    isCurrent: () => performance.now() - currentAsOf < trustMs,
    hear: ({ kind, ids }) => {
      if (isKind(kind)) {
        for (const follower of followers[kind])
          if (ids.includes('*')) follower.clear();
          else for (const id of ids) follower.drop(id);
      }
      // Written by a later version of this service, whose tables these caches do not contain.
      else log.info({ kind, ids: ids.slice(0, 20) }, 'a change of an unknown kind');
    },
    lose: () => {
      for (const follower of Object.values(followers).flat()) follower.clear();
    },
    wake,
    caughtUp: () =>
      new Promise((resolve) => {
        if (isClosed) resolve();
        waiting.push(resolve);
        wake();
      }),
    close: async () => {
      isClosed = true;
      wake();
      await following;
      await dropping;
    },
  };
  const following = follow();
  return self;
};
