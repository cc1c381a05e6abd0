/** How test files are divided, for vitest.config.ts and the rule that enforces it. */

/**
 * Files that mock modules or clocks or measure their process, each in a process of its own. All others share loaded
 * modules, so they must leave their process unchanged.
 */
export const separate = [
  'libs/store/auth/passwords.test.ts',
  'libs/data-sources/feeds/notam/parse.test.ts',
  'libs/data-sources/grib/oracle.test.ts',
  'libs/data-sources/grib/robustness.test.ts',
  'libs/store/queue/bull.test.ts',
  'libs/store/queue/ticks.test.ts',
  'test/http/abuse.test.ts',
];

/** They wait for processes and intervals; started last, one of them would prolong the whole run. */
export const long = [
  'test/e2e/*.test.ts',
  'test/clients/*.test.ts',
  'test/declarations/*.test.ts',
  'test/http/unavailable.test.ts',
  'apps/supervisor/*.test.ts',
  'apps/scheduler/feed-failures.test.ts',
  'apps/scheduler/airports-feed.test.ts',
  'libs/store/queue/pg-boss.test.ts',
];
