/**
 * Mail servers that are slow, busy or refuse: every acknowledged mail must arrive once, or become a dead
 * letter with the reason.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '#test/support/until.ts';
import { benchKey } from '../support/accounts.ts';
import { check } from '../support/rows.ts';
import type { Row } from '../support/rows.ts';
import { ledgerRow } from './ledger.ts';
import type { FaultService } from './service.ts';
import { sql } from '#store/postgres/sql.ts';

const mailsEach = 5;
const slowMs = 15_000;

/** Addresses of the users that `benchUsers` created, from `first` on. */
const addresses = (first: number): string[] =>
  Array.from({ length: mailsEach }, (_, n) => `b${first + n}@example.org`);

const requestResets = async ({ url }: FaultService, emails: readonly string[]): Promise<void> => {
  for (const email of emails) {
    const response = await fetch(`${url}/api`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-dev-key': benchKey },
      body: JSON.stringify({ query: 'requestPasswordReset', data: { email } }),
    });
    if (!response.ok) throw new Error(`a password reset was refused: ${response.status}`);
  }
};

const acceptedOf = ({ mail }: FaultService, emails: readonly string[]): string[] =>
  mail.accepted.map(({ to }) => to).filter((to) => emails.includes(to));

const refusal = (responseCode: number, message: string) =>
  Object.assign(new Error(message), { responseCode });

export const mailFaults = async (service: FaultService): Promise<Row[]> => {
  const [slow, busy, refused] = [addresses(1), addresses(11), addresses(21)];
  const once = new Set<string>();
  service.mail.answerWith(async (to) => {
    if (slow.includes(to)) await sleep(slowMs);
    if (refused.includes(to)) return refusal(550, 'no such mailbox');
    if (!busy.includes(to) || once.has(to)) return null;
    once.add(to);
    return refusal(451, 'busy, try again');
  });
  await requestResets(service, [...slow, ...busy, ...refused]);
  const wanted = [...slow, ...busy];
  await until(
    'the mails are accepted',
    () => new Set(acceptedOf(service, wanted)).size === wanted.length,
    120_000,
  );
  const deadLetters = () =>
    service.postgres.db.any<{ output: string }>(sql`SELECT output::text FROM pgboss.job
      WHERE state = 'failed' AND output::text LIKE '%no such mailbox%'`);
  await until('the refused are dead letters', async () => (await deadLetters()).length >= mailsEach).catch(
    () => undefined,
  );
  const finals = (await deadLetters()).length;
  const attempts = service.mail.attempts.filter((to) => refused.includes(to)).length;
  return [
    ledgerRow(`mail: answer ${slowMs / 1_000} s after the data`, slow, acceptedOf(service, slow)),
    ledgerRow('mail: 451 once, then 250', busy, acceptedOf(service, busy)),
    check(
      'mail: 550',
      finals === mailsEach && attempts === mailsEach,
      `${finals} of ${mailsEach} dead letters with the reply of the server, ${attempts} attempts`,
      'one attempt each',
    ),
  ];
};
