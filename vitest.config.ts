import { defineConfig } from 'vitest/config';
import { countReporter } from './test/support/count-reporter.ts';

export default defineConfig({
  test: {
    globalSetup: ['test/global-setup.ts'],
    reporters: ['default', countReporter],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'tests',
          include: ['apps/**/*.test.ts', 'libs/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: ['test/afterwards/**'],
          sequence: { groupOrder: 0 },
        },
      },
      // What can only be judged when all the others have run.
      {
        extends: true,
        test: { name: 'afterwards', include: ['test/afterwards/*.test.ts'], sequence: { groupOrder: 1 } },
      },
    ],
  },
});
