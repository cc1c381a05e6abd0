/**
 * Change notifications for caches: every commit that changes cached data, by kind and id (`watch_for_caches` in
 * the migrations).
 */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { sql } from './sql.ts';
import type { ReadDb } from './sql.ts';

export const changeChannel = 'cache_changed';

/** The first word of a notification; the ids of the kind follow. */
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
  /** The SIGMETs and AIRMETs. */
  'sigmet',
  /** All profiles of an owner: `u` and the id of a user, `v` and that of an airline. */
  'fleet',
  /** What airportStatus shows besides: obstacles, the changelog, the map. */
  'airport_status',
  /** Last success of each feed. */
  'feed_state',
] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** What is dropped when something of a kind changes. */
export interface Follower {
  drop: (id: string) => void;
  clear: () => void;
}

export type Followers = Readonly<Record<ChangeKind, readonly Follower[]>>;

export interface Changes {
  readonly isListening: () => boolean;
  /** Handles one notification. */
  hear: (payload: string) => void;
  /** Drops everything: changes may have been missed. */
  lose: () => void;
  /**
   * Resolves when all changes committed before this call have been received; immediately while not listening.
   */
  caughtUp: () => Promise<void>;
}

export interface ChangesOptions {
  db: ReadDb;
  log: Logger;
  isListening: () => boolean;
  followers: Followers;
}

const markKind = 'mark';

const isKind = (kind: string): kind is ChangeKind => (changeKinds as readonly string[]).includes(kind);

export const createChanges = ({ db, log, isListening, followers }: ChangesOptions): Changes => {
  const marks = new Map<string, () => void>();
  return {
    isListening,
    hear: (payload) => {
      const [kind = '', ...ids] = payload.split(' ');
      if (kind === markKind) marks.get(ids[0] ?? '')?.();
      else if (isKind(kind)) {
        for (const follower of followers[kind])
          if (ids.includes('*')) follower.clear();
          else for (const id of ids) follower.drop(id);
      }
      // Sent by a later version of this service, whose tables these caches do not contain.
      else log.info({ payload: payload.slice(0, 200) }, 'a change of an unknown kind');
    },
    lose: () => {
      for (const follower of Object.values(followers).flat()) follower.clear();
      for (const resolve of marks.values()) resolve();
    },
    caughtUp: async () => {
      if (!isListening()) return;
      const mark = randomUUID();
      const heard = new Promise<void>((resolve) => {
        marks.set(mark, resolve);
      });
      try {
        // Notifications arrive in the order of their commits.
        await db.one(sql`SELECT pg_notify(${changeChannel}, ${`${markKind} ${mark}`})`);
        if (isListening()) await heard;
      } finally {
        marks.delete(mark);
      }
    },
  };
};
