import { printRow } from './rows.ts';
import type { Row } from './rows.ts';

/** Output of a benchmark that ends with the number of limits met. */
export interface Judge {
  /** Prints a line of figures and whether they meet their limit. */
  report: (line: string, holds: boolean) => void;
  /** Prints a row and counts it. */
  row: (row: Row) => void;
  /** Prints the last line; the exit status of the process is 1 unless all limits are met. */
  end: () => void;
}

export const createJudge = (name: string): Judge => {
  const checked: boolean[] = [];
  return {
    report: (line, holds) => {
      checked.push(holds);
      console.log(`  ${line}${holds ? '' : '  MISSED'}`);
    },
    row: (row) => {
      checked.push(row.isMet);
      printRow(row);
    },
    end: () => {
      console.log(`${name}: ${checked.filter(Boolean).length} of ${checked.length} hold`);
      if (checked.includes(false)) process.exitCode = 1;
    },
  };
};
