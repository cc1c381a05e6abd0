import { decodeMetar } from '#data/weather/decode.ts';
import { decodeLines } from './lines.ts';

/** METAR and SPECI reports, one per line. */
export async function run(): Promise<void> {
  await decodeLines(decodeMetar);
}
