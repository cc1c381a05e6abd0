import { defineConfig } from 'vitest/config';
import { countReporter } from './test/support/count-reporter.ts';

const operations = ['queries', 'actions', 'webhooks'].map((kind) => `apps/api/${kind}/**/*.test.ts`);
/** They replace modules, which others must not see. */
const mocking = ['apps/api/queries/users/login.test.ts'];

export default defineConfig({
  test: {
    globalSetup: ['test/global-setup.ts'],
    reporters: ['default', countReporter],
    // Only for what never ends: a busy machine must not fail a test.
    testTimeout: 120_000,
    hookTimeout: 240_000,
    // One more than the cores of a small machine: many tests wait for processes.
    maxWorkers: 3,
    projects: [
      {
        extends: true,
        test: {
          name: 'tests',
          include: ['apps/**/*.test.ts', 'libs/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: ['test/afterwards/**', ...operations],
          sequence: { groupOrder: 0 },
        },
      },
      // The tests of operations change nothing of their process, so they share loaded modules: half the time of each.
      {
        extends: true,
        test: {
          name: 'operations',
          include: operations,
          exclude: mocking,
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: 'mocking', include: mocking, sequence: { groupOrder: 0 } },
      },
      // What can only be judged when all the others have run.
      {
        extends: true,
        test: { name: 'afterwards', include: ['test/afterwards/*.test.ts'], sequence: { groupOrder: 1 } },
      },
    ],
  },
});
