/** Reports of runway surfaces in thirds: FICON, RSC and SNOWTAM. */
import { reciprocalIdent } from '../../airports/ident.ts';
import type { ReportedCode, Deposit } from './contaminants.ts';

export interface SurfaceThird {
  code: ReportedCode;
  /** False: computed from the deposits, because the report has no codes. */
  isCodeReported: boolean;
  deposits: Deposit[];
}

export interface SurfaceReport {
  format: 'FICON' | 'RSC' | 'SNOWTAM';
  /** Both runway ends of a strip, padded; the thirds are counted from the threshold of the first. */
  runways: [string, string];
  thirds: [SurfaceThird, SurfaceThird, SurfaceThird];
  /** Time of the observation, ISO 8601. */
  observedAt: string;
  /** End that the text itself states (RSC), ISO 8601. */
  validUntil?: string;
  /** The sentence that was read. */
  text: string;
}

/** What a NOTAM says of runway surfaces; `unread` are sentences that begin like a report and were not understood. */
export interface SurfaceReading {
  reports: SurfaceReport[];
  unread: string[];
  /** The runways that it names brake worse than others once they are wet. */
  isSlipperyWhenWet?: boolean;
}

/** The strip of one designator or of both, `09L` or `09L/27R`. */
export const stripOf = (text: string): [string, string] => {
  const [first = '', second] = text
    .split('/')
    .map((ident) => ident.padStart(/[LCR]$/.test(ident) ? 3 : 2, '0'));
  return [first, second ?? reciprocalIdent(first)];
};
