/**
 * Jobs whose handler is not in the workers. A feed's code lives in the scheduler, which serves its runs itself.
 * Every job not listed here has its handler in the workers.
 */
export const servedByScheduler: ReadonlySet<string> = new Set(['feed.run']);
