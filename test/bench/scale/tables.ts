/** The model's results as shown in docs/scaling.md. */
import { callNames, callsPerHour, limitsOf, mixedCost, needOf } from './model.ts';
import type { CallCost, Figures } from './model.ts';

const communities = [10_000, 100_000, 1_000_000, 10_000_000];
const big = new Intl.NumberFormat('en');
/** Two significant digits. */
const short = (value: number): string => big.format(Number(value.toPrecision(2)));
const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] => [
  row(head),
  row(head.map(() => '---')),
  ...rows.map(row),
];

/** The cells of a table, regardless of its alignment. */
export const cellsOf = (lines: readonly string[]): string[][] =>
  lines
    .filter((line) => line.startsWith('|') && !/^[|\s:-]+$/.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );

export const needTable = (figures: Figures): string[] =>
  table(
    [
      'Users',
      'Calls a second',
      'API cores',
      'API processes',
      'Database cores',
      'Connections',
      'Memory, API',
      'Memory, database',
      'Disk',
      'Egress',
      'Steps',
      'Full next',
    ],
    communities.map((users) => {
      const need = needOf(figures, users);
      const limits = limitsOf(figures);
      const taken = limits.filter((limit) => limit.users < users);
      const next = limits[taken.length];
      return [
        big.format(users),
        short(need.callsPerSecond),
        short(need.apiCores),
        String(need.apiProcesses),
        short(need.databaseCores),
        String(need.connections),
        `${short(need.apiGb)} GB`,
        `${short(need.databaseGb)} GB`,
        `${short(need.diskGb)} GB`,
        `${short(need.egressMbit)} Mbit/s`,
        taken.length === 0
          ? '[1](#1-one-machine)'
          : [...new Set(taken.map(({ remedy }) => remedy))].toSorted().join(', '),
        next ? `${next.part}, ${short((100 * users) / next.users)} %` : 'all are full',
      ];
    }),
  );

export const limitTable = (figures: Figures): string[] =>
  table(
    ['Part', 'Is enough for', 'Then'],
    limitsOf(figures).map(({ part, users, remedy }) => [part, `${short(users)} users`, remedy]),
  );

export const costTable = ({ calls }: Figures): string[] => {
  const line = (name: string, perHour: number, cost: CallCost) => [
    name,
    String(perHour),
    `${cost.apiMs.toFixed(2)} ms`,
    `${cost.databaseMs.toFixed(2)} ms`,
    big.format(Math.round(cost.bytes)),
  ];
  return table(
    ['Call', 'Of an active user an hour', 'API', 'Database', 'Bytes'],
    [
      ...callNames.map((name) => line(`\`${name}\``, callsPerHour[name], calls[name])),
      line(
        'all',
        Object.values(callsPerHour).reduce((sum, n) => sum + n, 0),
        mixedCost(calls),
      ),
    ],
  );
};
