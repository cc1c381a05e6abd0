/** Rows of benchmarks with a limit: the limit and the measured value. */
export interface Row {
  scenario: string;
  measured: string;
  bar: string;
  isMet: boolean;
}

const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** A row that passes if the measured value is below the limit. */
export const below = (
  scenario: string,
  value: number,
  bar: number,
  unit: 'ms' | 'bytes' | 'resets',
  more = '',
): Row => {
  const show = (n: number) => (unit === 'bytes' ? mb(n) : `${Number(n.toFixed(1))} ${unit}`);
  return { scenario, measured: `${show(value)}${more}`, bar: `< ${show(bar)}`, isMet: value < bar };
};

/** A row for a yes-or-no result. */
export const check = (scenario: string, isMet: boolean, measured: string, bar: string): Row => ({
  scenario,
  measured,
  bar,
  isMet,
});

/** Prints a row; the exit code of the process is 1 once a limit is missed. */
export const printRow = ({ scenario, measured, bar, isMet }: Row): void => {
  console.log(`  ${isMet ? 'pass' : 'FAIL'}  ${scenario.padEnd(46)} ${bar.padEnd(24)} ${measured}`);
  if (!isMet) process.exitCode = 1;
};
