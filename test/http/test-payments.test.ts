import { pino } from 'pino';
import { expect, test } from 'vitest';
import { testApi } from '../api.ts';
import type { TestApi } from '../api.ts';
import { signedIn } from '../support/console.ts';
import type { OperatorAtConsole } from '../support/console.ts';

test('Accepted test payments are shown in log, status and console, and nowhere unless they are enabled', async () => {
  const said: string[] = [];
  const log = pino({ level: 'error' }, { write: (line) => void said.push(line) });
  const trial = await testApi({ log, env: { ACCEPT_TEST_PAYMENTS: '1' } });
  const shown = async (shownBy: TestApi, { get }: Pick<OperatorAtConsole, 'get'>) => {
    const status = (await (await shownBy.fetch('/status.json')).json()) as { testPayments: string };
    const pages = [await (await shownBy.fetch('/status')).text(), (await get('/audit')).text];
    return [
      status.testPayments,
      ...pages.map((page) => /role="alert"[^>]*>.*?Test payments are accepted/s.test(page)),
    ];
  };
  expect(await shown(trial, await signedIn(trial, 'ada'))).toEqual(['accepted', true, true]);
  expect(said.filter((line) => line.includes('ACCEPT_TEST_PAYMENTS=1'))).toHaveLength(1);
  const usual = await testApi();
  expect(await shown(usual, await signedIn(usual, 'ada'))).toEqual(['refused', false, false]);
  await trial.close();
  await usual.close();
});
