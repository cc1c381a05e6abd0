import { parseObstacles, obstacleFileOf } from '#data/feeds/obstacles/dof.ts';
import type { Obstacle } from '#store/postgres/airports/obstacles.ts';
import { SourceError, shownAddress } from '#domain/source-error.ts';
import { obstacleRepo, obstacleWrites } from '#store/postgres/airports/obstacles.ts';
import { defineFeed } from '../define-feed.ts';

/** The file lists every mast; only those relevant to a climb are stored, unless it comes from the command line. */
const minimumAglFt = 200;

/** Obstacles of the FAA's digital obstacle file (public domain). */
export default defineFeed<Buffer, Obstacle[]>({
  name: 'obstacles',
  schedule: '20 5 * * 3',
  graceMinutes: 9 * 24 * 60,
  staleMinutes: 57 * 24 * 60,
  timeoutSeconds: 870,
  maxBytes: 200_000_000,
  guards: { compareWith: 'stored', notOlderThanStored: true, dataName: 'obstacle file' },
  sources: (scope) => {
    const address = scope.override ?? scope.config.OBSTACLES_URL;
    const read = async () => (await scope.fetchSet([address]))?.[0]?.bytes ?? null;
    return [{ label: shownAddress(address), read }];
  },
  parse: async (bytes, { db, override }) => {
    const { obstacles, rejects, rejected, read, currencyDate } = parseObstacles(
      await obstacleFileOf(bytes),
      override === undefined ? minimumAglFt : 0,
    );
    if (obstacles.length === 0)
      throw new SourceError('CORRUPT', `The file has no obstacle of at least ${minimumAglFt} ft.`);
    return {
      records: obstacles,
      count: obstacles.length,
      accepted: read,
      rejects,
      rejected,
      stored: await obstacleRepo(db).count(),
      dataAt: currencyDate === null ? null : new Date(`${currencyDate}T00:00:00Z`),
    };
  },
  store: (tx, obstacles) => obstacleWrites(tx).store(obstacles),
});
