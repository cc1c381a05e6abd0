/** Links that confirm an email address, as a user opens them. */
import { sql } from '#store/postgres/sql.ts';
import type { TestApi } from '../api.ts';

/** Path and query of the latest link mailed to an address. */
export const mailedLink = async ({ context }: TestApi, address: string): Promise<string> => {
  const { text } = await context.postgres.db.one<{ text: string }>(sql`
    SELECT body_text AS text FROM outgoing_mail WHERE recipient = ${address} AND key LIKE 'email-proof:%'
    ORDER BY id DESC LIMIT 1`);
  const { pathname, search } = new URL(/https?:\S+/.exec(text)?.[0] ?? '');
  return pathname + search;
};

/** Presses the button of the page. */
export const pressConfirm = async (api: TestApi, link: string): Promise<{ status: number; text: string }> => {
  const { pathname, searchParams } = new URL(link, api.url);
  const answer = await api.fetch(pathname, { method: 'POST', body: searchParams });
  return { status: answer.status, text: await answer.text() };
};

export const verifyAddress = async (api: TestApi, { email }: { email: string }): Promise<void> => {
  const { status, text } = await pressConfirm(api, await mailedLink(api, email));
  if (status !== 200) throw new Error(`the link answered ${status}: ${text}`);
};
