/** Writes that are counted as they are answered, to compare them with what a server has that took over. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { callApi } from './pair.ts';

export interface Ledger {
  /** The last revision of each writer that was answered. */
  revisions: Map<string, number>;
  /** When writes were answered. */
  answeredMs: number[];
  /** Of what was not written: statuses, `cut` without an answer. */
  refused: Map<string, number>;
}

/** Each writer changes the settings of one user, at the processes in turn, with `pauseMs` in between. */
export const startWrites = (urls: readonly string[], tokens: readonly string[], pauseMs = 0) => {
  const ledger: Ledger = { revisions: new Map(), answeredMs: [], refused: new Map() };
  let isOn = true;
  const write = async (token: string): Promise<void> => {
    for (let i = 0; isOn; i += 1) {
      const defaultUnit = i % 2 === 0 ? 'METRIC' : 'IMPERIAL';
      const answer = await callApi(urls[i % urls.length] ?? '', token, 'saveUserSettings', { defaultUnit });
      if (answer?.status === 200) {
        ledger.revisions.set(token, Number(answer.body['revision']));
        ledger.answeredMs.push(performance.now());
        if (pauseMs > 0) await sleep(pauseMs);
        continue;
      }
      const reason = String(answer?.status ?? 'cut');
      ledger.refused.set(reason, (ledger.refused.get(reason) ?? 0) + 1);
      await sleep(20);
    }
  };
  const running = tokens.map(write);
  return {
    ledger,
    end: async () => {
      isOn = false;
      await Promise.all(running);
    },
  };
};

export const refusedText = ({ refused }: Ledger): string =>
  [...refused].map(([reason, count]) => `${count} of ${reason}`).join(', ') || 'nothing';

/** Answers that no caller should see while no server takes changes. */
export const wrongOf = ({ refused }: Ledger): number =>
  [...refused].filter(([reason]) => reason !== '503').length;

export const readyAfterMs = async (url: string, sinceMs: number): Promise<number> => {
  for (;;) {
    const response = await fetch(`${url}/readyz`);
    if (response.status === 200) return performance.now() - sinceMs;
    await sleep(20);
  }
};

/** Revisions of the settings on this server, in the order of the users. */
const storedRevisions = async (url: string): Promise<number[]> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ revision: string }>(
    'SELECT preferences_revision AS revision FROM app_user ORDER BY id',
  );
  await client.end();
  return rows.map(({ revision }) => Number(revision));
};

/** Which users lack a write on this server that was answered. */
export const lostOn = async (url: string, { revisions }: Ledger, tokens: readonly string[]) => {
  const stored = await storedRevisions(url);
  return tokens.filter((token, i) => (revisions.get(token) ?? 0) > (stored[i] ?? 0));
};
