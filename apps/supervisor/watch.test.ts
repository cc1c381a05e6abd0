import { expect, test } from 'vitest';
import { editsOf } from './watch.ts';

const tiers = ['api', 'workers', 'scheduler'];

test('An edit belongs to its tier, one of a library to all; tests and other files to none', () => {
  const cases: [paths: string[], tiers: string[]][] = [
    [['apps/api/queries/users/login.ts'], ['api']],
    [
      ['apps/scheduler/feeds/metar.ts', 'apps/workers/jobs/mail-send.ts'],
      ['workers', 'scheduler'],
    ],
    [['libs/domain/time.ts'], tiers],
    [['libs/perf/aircraft/A320-251N.json'], tiers],
    [['db/migrations/0070_x.sql'], tiers],
    [['apps/api/queries/users/login.test.ts', 'apps/api/.login.ts.swp', 'apps/ops/main.ts'], []],
  ];
  for (const [paths, expected] of cases)
    expect([paths, [...editsOf(paths, tiers).tiers]]).toEqual([paths, expected]);
  expect(editsOf(['db/migrations/0070_x.sql'], tiers)).toMatchObject({ hasMigration: true, isOwn: false });
  expect(editsOf(['apps/supervisor/child.ts'], tiers)).toMatchObject({ hasMigration: false, isOwn: true });
});
