/** Password guessing across many accounts, and from many IP addresses. */
import { hashOfKey } from '#platform/developer-keys.ts';
import { passwords } from '#store/auth/passwords.ts';
import { runSql } from '#test/support/sql.ts';
import { outcomes, send } from '#test/support/abuse/clients.ts';
import type { Sent } from '#test/support/abuse/clients.ts';
import { createAccounts } from '../support/accounts.ts';
import { check } from '../support/rows.ts';
import type { Row } from '../support/rows.ts';
import type { Target } from './target.ts';

const accounts = 60;
const key = 'dk_guessing';

const login = ({ url }: Target, email: string, ip: string): Promise<Sent> => {
  const body = JSON.stringify({ query: 'login', devKey: key, data: { email, password: 'not this one' } });
  return send(`${url}/api`, {
    headers: { 'content-type': 'application/json', 'x-forwarded-for': ip },
    body: [body],
  });
};

const row = (scenario: string, all: readonly Sent[], most: number): Row => {
  const tried = all.filter(({ code }) => code === 'INVALID_CREDENTIALS').length;
  const isStopped = all.at(-1)?.status === 429 && tried <= most;
  return check(
    scenario,
    isStopped,
    `${tried} passwords tried; ${outcomes(all)}`,
    `429 after at most ${most}`,
  );
};

export const guessing = async (target: Target): Promise<Row[]> => {
  const hash = await passwords.hash('the right password');
  const run = runSql(target.postgres);
  await run`INSERT INTO developer_key (name, key_hash, key_hint) VALUES ('guessing', ${hashOfKey(key)}, 'x')`;
  await createAccounts(target, target.postgres, { name: 'sprayed', count: accounts + 1, passwordHash: hash });
  const sprayed: Sent[] = [];
  for (let i = 1; i <= accounts; i += 1)
    sprayed.push(await login(target, `sprayed${i}@example.org`, '203.0.113.50'));
  const network: Sent[] = [];
  for (let i = 0; i < 40; i += 1)
    network.push(
      await login(target, `sprayed${accounts + 1}@example.org`, `2001:db8:5:6:${i.toString(16)}::${i + 1}`),
    );
  return [
    row('60 accounts from one address', sprayed, 50),
    row('one account from 40 addresses of a /64', network, 10),
  ];
};
