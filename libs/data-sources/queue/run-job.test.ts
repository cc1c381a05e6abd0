import { expect, test } from 'vitest';
import { UnavailableError } from '#domain/errors.ts';
import { testJob } from '#test/support/queue-behaviour.ts';
import { createLogger } from '../log.ts';
import { runJob } from './run-job.ts';

test.each([
  ['that the database cannot now', false, 3, 'postponed'],
  ['that may be its own fault', true, 1, 'retry'],
  ['that may be its own fault, at its last attempt', true, 3, 'dead'],
])('A failure %s', async (_, mayBeItself, attempt, kind) => {
  const contract = testJob({ attempts: 3 });
  const error = new UnavailableError('it', { reason: 'no', code: '5X', retryAfterSeconds: 1, mayBeItself });
  const handler = { contract, run: () => Promise.reject(error) };
  const delivery = {
    id: 'x',
    data: { n: 1 },
    attempt,
    dueAt: new Date(),
    signal: new AbortController().signal,
  };
  expect(await runJob(handler, delivery, createLogger('test', 'silent'))).toEqual({ kind, error });
});
