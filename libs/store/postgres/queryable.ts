/** What a connection is wrapped in. */
import type { Queryable } from './sql.ts';

export type Translate = (error: unknown) => unknown;

export const translating = (client: Queryable, translate: Translate): Queryable => ({
  query: async (config) => {
    try {
      return await client.query(config);
    } catch (error) {
      throw translate(error);
    }
  },
});

/** The statement of `single`; any further one is a bug. */
export const once = (client: Queryable): Queryable => {
  let isUsed = false;
  return {
    query: async (config) => {
      if (isUsed) throw new Error(`a second statement in a single one: ${config.text}`);
      isUsed = true;
      return client.query(config);
    },
  };
};
