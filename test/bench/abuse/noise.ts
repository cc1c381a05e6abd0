/** Invalid calls only, one after the other, from one address. */
import { inParallel, keepAlive, outcomes, send } from '#test/support/abuse/clients.ts';
import type { Sent } from '#test/support/abuse/clients.ts';
import { check } from '../support/rows.ts';
import type { Row } from '../support/rows.ts';
import type { Target } from './target.ts';

const calls = 700;

export const noise = async ({ url }: Target): Promise<Row[]> => {
  const loop = async (
    name: string,
    ip: string,
    messageOf: (i: number) => { body: string; token?: string },
  ) => {
    const agent = keepAlive(4);
    const all: Sent[] = await inParallel(calls, 4, (i) => {
      const { body, token } = messageOf(i);
      const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': ip, ...authorization };
      return send(`${url}/api`, { agent, headers, body: [body] });
    });
    agent.destroy();
    const answered = all.filter(({ status }) => status !== 429).length;
    return check(name, all.at(-1)?.status === 429 && answered <= 600, outcomes(all), '429 in the end');
  };
  return [
    await loop('unknown queries', '203.0.113.1', (i) => ({ body: `{"query":"nothing${i}"}` })),
    await loop('tokens that are not ours', '203.0.113.2', (i) => ({
      body: '{"query":"refreshUserData"}',
      token: `wrong.${i}.token`,
    })),
    await loop('developer keys that do not exist', '203.0.113.3', (i) => ({
      body: `{"query":"login","devKey":"dk_wrong${i}","data":{"email":"a@example.org","password":"123456"}}`,
    })),
    await loop('bodies that are not JSON', '203.0.113.4', () => ({ body: '{"query":' })),
  ];
};
