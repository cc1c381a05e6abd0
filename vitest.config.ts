import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import type { TestProjectInlineConfiguration } from 'vitest/config';
import { countReporter } from './test/support/count-reporter.ts';
import { long, separate } from './test/support/test-projects.ts';

/** Workers load many modules and keep them: a larger young generation halves what the garbage collector copies. */
const execArgv = ['--max-semi-space-size=64', '--min-semi-space-size=32'];

/** Files that share their modules: without loading each of them for every file, a run takes half the time. */
const sharing = (name: string, include: string[], exclude: string[]): TestProjectInlineConfiguration => ({
  extends: true,
  test: {
    name,
    include,
    exclude,
    isolate: false,
    execArgv: [...execArgv, `--import=${join(import.meta.dirname, 'test/support/argon2-hook.ts')}`],
    // Node loads the modules as in a service and from the same compile cache; nothing is mocked.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    setupFiles: ['test/support/leaves-nothing.ts'],
    sequence: { groupOrder: 0 },
  },
});

export default defineConfig({
  test: {
    globalSetup: ['test/global-setup.ts'],
    reporters: ['default', countReporter],
    // Only for tests that hang: a busy machine must not fail a test.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    execArgv,
    // More than the cores of a small machine: half of the time tests wait for processes, intervals and the database.
    maxWorkers: 4,
    // Vitest starts projects in the order of their names.
    projects: [
      sharing('long', long, separate),
      {
        extends: true,
        test: { name: 'separate', include: separate, sequence: { groupOrder: 0 } },
      },
      sharing(
        'shared',
        ['apps/**/*.test.ts', 'libs/**/*.test.ts', 'tools/**/*.test.ts', 'test/**/*.test.ts'],
        ['test/afterwards/**', ...long, ...separate],
      ),
      // Tests that need the results of all others.
      {
        extends: true,
        test: { name: 'afterwards', include: ['test/afterwards/*.test.ts'], sequence: { groupOrder: 1 } },
      },
    ],
  },
});
