/** A database schema newer than the running processes. */
import { runSql } from '#test/support/sql.ts';
import { check } from '../support/rows.ts';
import type { Row } from '../support/rows.ts';
import type { FaultService } from './service.ts';

const readinessOf = async (url: string) => {
  const response = await fetch(`${url}/readyz`);
  return { status: response.status, text: (await response.text()).replaceAll(/\s+/g, ' ').slice(0, 160) };
};

export const newerSchema = async ({ url, postgres }: FaultService): Promise<Row[]> => {
  await runSql(postgres)`INSERT INTO migration (name) VALUES ('9999_future.sql')`;
  const newer = await readinessOf(url);
  await runSql(postgres)`DELETE FROM migration WHERE name = '9999_future.sql'`;
  const again = await readinessOf(url);
  return [
    check(
      'schema: a newer one under a running API',
      newer.status === 503 && newer.text.includes('9999_future') && again.status === 200,
      `${newer.status} ${newer.text}; without it ${again.status}`,
      '503 and the name, then 200',
    ),
  ];
};
