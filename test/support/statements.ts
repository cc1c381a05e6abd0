import { Client } from 'pg';
import { vi } from 'vitest';

/** Statements that no call sends: log, counters, revisions, queue maintenance, settings of a new connection. */
const isBackground = (text: string): boolean =>
  /\b(?:request_log|rate_limit)|FROM data_revision\) AS text$|^SELECT set_config\(name, setting|^(?:BEGIN|(?:SELECT; )?COMMIT|ROLLBACK)\b/.test(
    text,
  ) ||
  (text.includes('pgboss') && !text.includes('INSERT INTO pgboss'));

/** Statements that this process sends to its databases while `work` runs. */
export const statementsDuring = async (work: () => Promise<unknown>): Promise<string[]> => {
  const query = vi.spyOn(Client.prototype, 'query');
  try {
    await work();
    const texts = query.mock.calls.map(([statement]: readonly unknown[]) =>
      typeof statement === 'string' ? statement : String((statement as { text?: string }).text),
    );
    return texts.filter((text) => !isBackground(text));
  } finally {
    query.mockRestore();
  }
};
