import type { Context } from '#data/context.ts';
import { isMissingLogDay, logDayWrites } from '#data/postgres/requests/days.ts';
import { packRows, requestLogWrites } from '#data/postgres/requests/log.ts';
import type { RequestLogRow } from '#data/postgres/requests/log.ts';

/**
 * Writes rows in one transaction and returns the number of rows stored. The sweep makes partitions ahead; where one is
 * missing, it is made now. Safe to repeat: an existing row counts, too.
 */
export const storeLogRows = async (
  { postgres }: Pick<Context, 'postgres'>,
  rows: readonly RequestLogRow[],
): Promise<number> => {
  const groups = await packRows(rows);
  const insert = () =>
    postgres.transaction(async (tx) => {
      let stored = 0;
      for (const group of groups) stored += await requestLogWrites(tx).insert(group);
      return stored;
    });
  try {
    return await insert();
  } catch (error) {
    if (!isMissingLogDay(error)) throw error;
    const days = new Set(groups.map(({ day }) => day));
    for (const day of days) await postgres.transaction((tx) => logDayWrites(tx).make(day));
    return insert();
  }
};
