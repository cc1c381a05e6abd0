/** How long rows are kept, in docs/operations.md. */
import { retentions } from '#store/postgres/sweeps/retentions.ts';
import type { Retention } from '#store/postgres/sweeps/retentions.ts';
import { markdownTable, withPart } from './tables.ts';

const daysText = ({ days }: Retention): string => {
  if (days === 0) return 'at once';
  if (days < 1) return days * 24 === 1 ? '1 hour' : `${days * 24} hours`;
  return days === 1 ? '1 day' : `${days} days`;
};

export const withRetentions = (page: string): string =>
  withPart(
    page,
    'retentions',
    markdownTable(
      ['Table', 'Rows', 'Deleted after', 'Why'],
      retentions.map((retention) => [
        `\`${retention.table}\``,
        retention.rows,
        daysText(retention),
        retention.why,
      ]),
    ),
  );
