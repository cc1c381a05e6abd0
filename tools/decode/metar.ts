import { decodeMetar } from '#tools/decoded-report.ts';
import { decodeLines } from './lines.ts';

/** METAR and SPECI reports, one per line. */
export const run = async (): Promise<void> => {
  await decodeLines(decodeMetar);
};
