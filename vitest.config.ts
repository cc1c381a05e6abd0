import { defineConfig } from 'vitest/config';
import { countReporter } from './test/support/count-reporter.ts';
import { mocking, sharing } from './test/support/test-projects.ts';

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
          exclude: ['test/afterwards/**', ...sharing],
          sequence: { groupOrder: 0 },
        },
      },
      // Without loading every module for every file they take half the time.
      {
        extends: true,
        test: {
          name: 'operations',
          include: sharing,
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
