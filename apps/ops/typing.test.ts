import { afterAll, beforeAll, expect, test } from 'vitest';
import { UnrecoverableError } from '#domain/errors.ts';
import { feedRun } from '#domain/jobs/contracts.ts';
import { testContext } from '#test/harness.ts';
import type { TestContext } from '#test/harness.ts';
import { ops as runLine, opsOn } from '#test/support/ops.ts';
import { until } from '#test/support/until.ts';

let t: TestContext;
beforeAll(async () => {
  t = await testContext();
});
afterAll(() => t.close());

const ops = (line: string) => runLine(t, line);

test('A dead letter names its subject, for a feed run the feed, with the whole error in jobs show', async () => {
  const failing = {
    contract: feedRun,
    run: () => Promise.reject(new UnrecoverableError('The source answers nonsense')),
  };
  await t.postgres.transaction((tx) =>
    t.jobs.enqueue(tx, feedRun, { feed: 'metar', slot: '2026-09-16T12:00:00Z' }),
  );
  const consumer = await t.queues.createConsumer();
  await consumer.consume('ingest', [failing], 1);
  await until('a dead letter', async () => (await t.queues.deadLetters()).length === 1);
  await consumer.stop(1_000);
  const listed = await ops('jobs list');
  expect(listed.out).toMatch(
    /^Dead\nid +job +about +.*\n[\da-f-]{36} +feed\.run +feed=metar slot=2026-09-16T12:00:00Z +1 /m,
  );
  const id = /^[\da-f-]{36}/m.exec(listed.out)?.[0] ?? '';
  const shown = await ops(`jobs show ${id}`);
  expect(shown.out).toMatch(/^error +The source answers nonsense$/m);
  expect(shown.out).toMatch(/^payload +\{"feed":"metar",/m);
});

test.each([
  ['usr list', 'Unknown command: usr list. Did you mean "user list"?'],
  ['user lst', 'Unknown command: user lst. Did you mean "user list"?'],
  ['va membr add', 'Unknown command: va membr add. Did you mean "va member add"?'],
  ['user list --limt 3', 'Unknown option \'--limt\'. Did you mean "--limit"?'],
  ['user list extra', '"user list" does not take "extra".'],
  ['user show a@b.example c@d.example', '"user show" does not take "c@d.example".'],
  ['user show a@b.example --email c@d.example', '--email is given twice.'],
  ['feeds metr', 'Unknown command: feeds metr. Did you mean "feeds"?'],
])('"%s" is answered with %j', async (line, message) => {
  const { status, err } = await ops(line);
  expect([status, err.split('\n')[0]]).toEqual([2, message]);
});

test('Help of a verb covers that verb alone, by word and by flag, and a required flag may be given without its name', async () => {
  const email = 'named@example.org';
  await ops(`user create --email ${email}`);
  const byWord = await ops('help user create');
  expect(byWord.out).toBe(
    [
      'user create --email EMAIL [--firstname FIRSTNAME] [--lastname LASTNAME] [--rank RANK]',
      '  Creates an account with a password that is shown once; its user can set another at /reset.',
      '    --email      Email address of the account.',
      '    --firstname  Default: New.',
      '    --lastname   Default: Pilot.',
      '    --rank       LTC, CAPT, FO, JFO; default CAPT.',
    ].join('\n'),
  );
  expect(await ops('user create --help')).toEqual(byWord);
  expect((await ops('feeds --version')).out).toMatch(/^\d+\.\d+\.\d+$/);
  const bare = await ops(`user show ${email}`);
  expect(bare).toEqual(await ops(`user show --email ${email}`));
  expect(bare.status).toBe(0);
});

test('At a terminal a verb that deletes for good asks first, while yes, --yes and a script proceed', async () => {
  const email = 'leaving@example.org';
  const asked: string[] = [];
  const answering = (answer: string) => ({
    ask: (label: string) => {
      asked.push(label);
      return Promise.resolve(answer);
    },
  });
  await ops(`user create --email ${email}`);
  const kept = await opsOn(answering('y'), t, `user delete ${email}`);
  expect([kept.status, kept.err]).toEqual([1, 'Nothing was changed.']);
  expect((await ops(`user show ${email}`)).status).toBe(0);
  expect((await opsOn(answering('yes'), t, `user delete ${email}`)).status).toBe(0);
  expect((await ops(`user show ${email}`)).status).toBe(1);
  expect(asked).toEqual(
    Array(2).fill(expect.stringMatching(/^id .*\n[^]*\nDeletes an account .*\nType yes to go on: $/)),
  );
  for (const [terminal, flag] of [
    [answering('no'), ' --yes'],
    [{}, ''],
  ] as const) {
    await ops(`user create --email ${email}`);
    expect((await opsOn(terminal, t, `user delete ${email}${flag}`)).status).toBe(0);
  }
  expect(asked).toHaveLength(2);
});
