import { readFeedStates } from '#data/postgres/feed-repo.ts';
import { verb } from '../command.ts';
import type { Noun } from '../command.ts';

const list = verb({
  summary: 'The last success, change and failure of every feed.',
  flags: {},
  run: async ({ postgres: { db } }) => {
    const feedStates = await readFeedStates(db);
    const states = feedStates.map(({ validators: _validators, ...state }) => state);
    const table = states.map((state) => ({
      feed: state.feed,
      records: state.lastCount,
      success: state.lastSuccessAt,
      change: state.lastChangeAt,
      failure: state.lastFailureAt,
      failures: state.consecutiveFailures,
      error: state.lastError,
    }));
    return { data: { feeds: states }, table };
  },
});

export const feeds: Noun = {
  name: 'feeds',
  summary: 'State of the outside sources.',
  verbs: { '': list, list },
};
