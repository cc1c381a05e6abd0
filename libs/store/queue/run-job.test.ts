import { expect, test } from 'vitest';
import { UnavailableError } from '#domain/errors.ts';
import { testJob } from '#test/support/queue-behaviour.ts';
import { createLogger } from '#platform/log/log.ts';
import { withTrace, withoutTrace } from './pg-boss-tables.ts';
import { runJob } from './run-job.ts';

test.each([
  ['because the database is unavailable is postponed', false, 3, 'postponed'],
  ['for a reason that may be its own is retried', true, 1, 'retry'],
  ['for such a reason at its last attempt becomes a dead letter', true, 3, 'dead'],
])('A job that fails %s', async (_, mayBeCausedByRequest, attempt, kind) => {
  const contract = testJob({ attempts: 3 });
  const error = new UnavailableError('it', {
    reason: 'no',
    code: '5X',
    retryAfterSeconds: 1,
    mayBeCausedByRequest,
  });
  const handler = { contract, run: () => Promise.reject(error) };
  const delivery = {
    id: 'x',
    data: { n: 1 },
    attempt,
    dueAt: new Date(),
    store: 'postgres' as const,
    signal: new AbortController().signal,
  };
  expect(await runJob(handler, delivery, createLogger('test', 'silent'))).toEqual({ kind, error });
});

test('The trace in a stored payload is not part of the payload', () => {
  const trace = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' };
  expect(withoutTrace(withTrace({ n: 1 }, trace))).toEqual({ payload: { n: 1 }, trace });
  expect(withoutTrace(withTrace({ n: 1 }, undefined))).toEqual({ payload: { n: 1 }, trace: undefined });
  expect(withoutTrace(null)).toEqual({ payload: null, trace: undefined });
});
