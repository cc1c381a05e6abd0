import { requestLogRepo } from '#store/postgres/requests/log.ts';
import { integer } from '../flags.ts';
import { found, view } from '../verb.ts';
import type { Noun } from '../verb.ts';

export const call: Noun = {
  name: 'call',
  title: 'Calls',
  summary: 'Calls as the log keeps them.',
  verbs: {
    show: view({
      summary: 'Shows a call, without secrets.',
      flags: { id: integer('Log id, which answers have in X-SVC-Log-Id.', 1, Number.MAX_SAFE_INTEGER) },
      run: async ({ postgres: { db } }, { id }) => ({
        data: { call: found(await requestLogRepo(db).byId(id), `No call ${id} is kept.`) },
      }),
    }),
  },
};
