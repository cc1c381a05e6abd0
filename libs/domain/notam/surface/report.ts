/** Reports of runway surfaces in thirds: FICON, RSC and SNOWTAM. */
import { reciprocalIdent } from '../../airports/ident.ts';
import { padDesignator } from '../text.ts';
import type { ReportedCode, Deposit } from './contaminants.ts';

export interface SurfaceThird {
  code: ReportedCode;
  /** False: the report has no codes, so they were derived from the deposits. */
  isCodeReported: boolean;
  deposits: Deposit[];
}

export interface SurfaceReport {
  format: 'FICON' | 'RSC' | 'SNOWTAM';
  /** Padded designators of both ends; the thirds are counted from the threshold of the first. */
  runways: [string, string];
  thirds: [SurfaceThird, SurfaceThird, SurfaceThird];
  /** Time of the observation, ISO 8601. */
  observedAt: string;
  /** End of validity stated in the text (RSC), ISO 8601. */
  validUntil?: string;
  /** Sentence of the report. */
  text: string;
}

/** Surface conditions in a NOTAM; `unread` has sentences that begin like a report but were not understood. */
export interface SurfaceReading {
  reports: SurfaceReport[];
  unread: string[];
  /** The named runways are slippery when wet. */
  isSlipperyWhenWet?: boolean;
}

/** Both designators of a runway from one or both, `09L` or `09L/27R`. */
export const stripOf = (text: string): [string, string] => {
  const [first = '', second] = text.split('/').map(padDesignator);
  return [first, second ?? reciprocalIdent(first)];
};
