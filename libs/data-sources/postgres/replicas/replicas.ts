/**
 * Reads of replicas (ADR 184): by calls that declare `reads: 'replica'`, which see what their user has written, and by caches, which see
 * what has emptied them. Where no replica is there or far enough, the primary is read.
 */
import type { Logger } from 'pino';
import { createBatch } from '#platform/batch.ts';
import { oneLineOf } from '#platform/one-line.ts';
import type { Postgres } from '../pool.ts';
import type { ReadDb } from '../sql.ts';
import { DatabaseUnavailableError } from '../unavailable.ts';
import { callerPositionRepo, callerPositionWrites } from './caller-positions.ts';
import { createLogHistory } from './log-position.ts';
import type { LogPosition, SeenPosition } from './log-position.ts';
import { createReplica } from './replica.ts';
import type { Replica, ReplicaState } from './replica.ts';

/** A call waits so long for a replica, then reads the primary. */
const patienceMs = 50;
/** A replica that is further behind is left out. */
const defaultMaxLagMs = 5_000;

export interface Replicas {
  /** For values that are kept until a change is heard: they are of after the last one that was. */
  forCaches: ReadDb;
  /** For a call, all of whose statements go to one server. Null: nobody who could have written. */
  forCaller: (userId: number | null) => ReadDb;
  /** What the user has written so far, or is told of, is in what they read from now on. Never rejects. */
  note: (userId: number) => Promise<void>;
  /** A reading of the changes, before caches are emptied by it. */
  heard: (reading: HeardPosition) => void;
  /** This process has changed what caches hold, which no reading has said yet. */
  committed: () => void;
  states: () => ReplicaState[];
  /** Reads so far. */
  reads: () => { replica: number; primary: number };
  close: () => Promise<void>;
}

export interface HeardPosition extends SeenPosition {
  /** `some`: caches are emptied by it; `all`: perhaps another primary, of which some replica may know nothing yet. */
  empties: 'nothing' | 'some' | 'all';
}

export interface ReplicasOptions {
  /** Addresses and connections of each replica. */
  replicas: readonly { name: string; reading: Postgres; watching: Postgres }[];
  primary: Pick<Postgres, 'db' | 'single'>;
  log: Logger;
  maxLagMs?: number;
}

const onlyPrimary = ({ db }: Pick<Postgres, 'db'>): Replicas => ({
  forCaches: db,
  forCaller: () => db,
  note: async () => {},
  heard: () => {},
  committed: () => {},
  states: () => [],
  reads: () => ({ replica: 0, primary: 0 }),
  close: async () => {},
});

/** A conflict with what it replays, or a statement that took too long, says nothing of the replica. */
const mayGoOn = ({ isRepeatable, mayBeItself }: DatabaseUnavailableError): boolean =>
  isRepeatable || mayBeItself;

export const createReplicas = ({
  replicas: given,
  primary,
  log,
  maxLagMs = defaultMaxLagMs,
}: ReplicasOptions): Replicas => {
  if (given.length === 0) return onlyPrimary(primary);
  const history = createLogHistory();
  const replicas = given.map((each) => createReplica({ ...each, history, log, maxLagMs }));
  const counts = { replica: 0, primary: 0 };
  /** Of every read: another primary may have begun at the last loss of its connection. */
  let base: LogPosition | null = null;
  /** Of what caches load. */
  let emptiedAt: LogPosition = 0n;
  let heardAtMs = -Infinity;
  let committedAtMs = -Infinity;
  let turn = 0;

  const choose = async (required: LogPosition): Promise<Replica | null> => {
    const least = base;
    if (least === null) return null;
    turn = (turn + 1) % replicas.length;
    const inTurn = [...replicas.slice(turn), ...replicas.slice(0, turn)];
    const usable = inTurn.filter((replica) => replica.isUsable(least));
    const ready = usable.find((replica) => replica.replayed() >= required);
    if (ready) return ready;
    const [next] = usable.toSorted((a, b) => Number(b.replayed() - a.replayed()));
    return next && (await next.reaches(required, patienceMs)) ? next : null;
  };

  const reading = (choice: () => Promise<Replica | null>): ReadDb => {
    const run = async <T>(work: (db: ReadDb) => Promise<T>): Promise<T> => {
      const replica = await choice();
      if (replica)
        try {
          const answer = await work(replica.db);
          counts.replica += 1;
          return answer;
        } catch (error) {
          if (!(error instanceof DatabaseUnavailableError)) throw error;
          if (!mayGoOn(error)) replica.fail(error);
        }
      counts.primary += 1;
      return work(primary.db);
    };
    return {
      any: (query) => run((db) => db.any(query)),
      maybe: (query) => run((db) => db.maybe(query)),
      one: (query) => run((db) => db.one(query)),
    };
  };

  const positionOfCaller = createBatch(callerPositionRepo(primary.db).ofEach);
  const noted = createBatch(async (userIds: readonly number[]) => {
    await primary.single((tx) => callerPositionWrites(tx).note(userIds));
    return userIds;
  });

  return {
    forCaches: reading(async () => (heardAtMs > committedAtMs ? choose(emptiedAt) : null)),
    forCaller: (userId) => {
      let chosen: Promise<Replica | null> | undefined;
      const chooseOnce = async () => choose((userId === null ? null : await positionOfCaller(userId)) ?? 0n);
      return reading(() => (chosen ??= chooseOnce()));
    },
    note: async (userId) => {
      try {
        await noted(userId);
      } catch (error) {
        log.warn({ reason: oneLineOf(error), userId }, 'a replica may not show this user their last change');
      }
    },
    heard: ({ position, atMs, empties }) => {
      history.note({ position, atMs });
      heardAtMs = atMs;
      if (empties !== 'nothing') emptiedAt = position;
      if (empties === 'all') base = position;
    },
    committed: () => {
      committedAtMs = performance.now();
    },
    states: () => replicas.map((replica) => replica.state(base ?? 0n)),
    reads: () => ({ ...counts }),
    close: async () => {
      await Promise.all(replicas.map((replica) => replica.close()));
    },
  };
};
