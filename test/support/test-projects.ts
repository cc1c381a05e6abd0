/** How the test files are divided; for vitest.config.ts and the rule that holds them to it. */

/** Tests of operations share the modules that they load, so they may change nothing of their process. */
export const sharing = ['queries', 'actions', 'webhooks'].map((kind) => `apps/api/${kind}/**/*.test.ts`);

/** Those that replace modules all the same, each in a separate process. */
export const mocking = ['apps/api/queries/users/login.test.ts'];
