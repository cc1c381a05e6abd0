/**
 * Limits how many files one has to open to follow a call: those in `apps/api`, `libs/commands` and
 * `libs/store/postgres` that its declaration reaches by value imports. The common path of all calls, from the
 * dispatcher on and with its services, is counted once, separately. Domain, engine and platform are not
 * counted, because their names say enough.
 */
import { expect, test } from 'vitest';
import { followed, readTree } from './support/architecture.ts';

const everyCall = [
  'apps/api/dispatch.ts',
  'apps/api/services/identities.ts',
  'apps/api/services/rate-limiter.ts',
  'apps/api/services/request-log.ts',
];

/** Upper bounds, which only fall. */
const bounds: Readonly<Record<string, number>> = {
  'every call': 30,
  'queries/weather/weather.ts': 4,
  'queries/performance/performance.ts': 12,
  'queries/flight-data/flightDataSave.ts': 7,
  'queries/library/libraryUpload.ts': 10,
  'webhooks/webhooks.ts': 3,
};

const tree = readTree();
const shared = followed(tree, ...everyCall);

test.each(Object.entries(bounds))('Following %s takes at most %i files', (name, bound) => {
  const files = name === 'every call' ? shared : followed(tree, `apps/api/${name}`);
  const own = [...files].filter((file) => files === shared || !shared.has(file));
  expect(own.length, own.join('\n')).toBeLessThanOrEqual(bound);
});

test('A value import is followed, a type import is not', () => {
  const files = new Map([
    ['apps/api/a.ts', "import type { x } from './b.ts';\nimport { y } from './c.ts';"],
    ['apps/api/b.ts', ''],
    ['apps/api/c.ts', "import { z } from '#commands/d.ts';"],
    ['libs/commands/d.ts', "import { e } from '#domain/e.ts';"],
    ['libs/domain/e.ts', ''],
  ]);
  expect([...followed(files, 'apps/api/a.ts')]).toEqual([
    'apps/api/a.ts',
    'apps/api/c.ts',
    'libs/commands/d.ts',
  ]);
});
