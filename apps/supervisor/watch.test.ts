import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { editsOf, watchSources } from './watch.ts';

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

test('Every save by rename is reported, as editors and sed make them', async () => {
  const root = await mkdtemp(join(tmpdir(), 'watch-'));
  for (const folder of ['apps', 'libs', 'db']) await mkdir(join(root, folder));
  const file = join(root, 'apps', 'a.ts');
  await writeFile(file, '0');
  let seen = Promise.withResolvers<ReadonlySet<string>>();
  const stop = watchSources(root, (paths) => seen.resolve(paths));
  for (const text of ['1', '2', '3']) {
    await writeFile(join(root, 'apps', 'a.tmp'), text);
    await rename(join(root, 'apps', 'a.tmp'), file);
    expect([...(await seen.promise)]).toEqual([join('apps', 'a.ts')]);
    seen = Promise.withResolvers();
  }
  stop();
  await rm(root, { recursive: true });
});
