import type { Reporter, TestModule } from 'vitest/node';

/** Prints the count of tests as the very last line: `N passed, N failed, N skipped`. */
export const countReporter: Reporter = {
  onTestRunEnd: (modules: readonly TestModule[], errors: readonly unknown[]) => {
    const count = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state !== 'pending') count[state] += 1;
      }
      // A file that could not be loaded has no tests but is a failure.
      if (module.state() === 'failed' && module.errors().length > 0) count.failed += 1;
    }
    count.failed += errors.length;
    process.once('exit', () => {
      console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
    });
  },
};
