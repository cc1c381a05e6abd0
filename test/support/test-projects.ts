/** How the test files are divided; for vitest.config.ts and the rule that holds them to it. */

/**
 * Those that replace modules or clocks, or measure their process, each in a separate one. All the others share the
 * modules that they load, so they may change nothing of their process that outlives them.
 */
export const separate = [
  'apps/api/queries/users/login.test.ts',
  'libs/store/auth/passwords.test.ts',
  'libs/data-sources/feeds/notam/parse.test.ts',
  'libs/data-sources/grib/oracle.test.ts',
  'libs/data-sources/grib/robustness.test.ts',
  'libs/store/queue/bull.test.ts',
  'libs/store/queue/ticks.test.ts',
  'test/http/abuse.test.ts',
  'test/http/slow-bodies.test.ts',
];

/** They wait for processes and intervals: begun last, one of them would keep a whole run waiting. */
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
