import { decodeTaf } from '#tools/decoded-report.ts';
import { decodeLines } from './lines.ts';

/** Forecasts, one per line. */
export const run = async (): Promise<void> => {
  await decodeLines(decodeTaf);
};
