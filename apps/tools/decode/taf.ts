import { decodeTaf } from '#data/weather/decode.ts';
import { decodeLines } from './lines.ts';

/** Forecasts, one per line. */
export async function run(): Promise<void> {
  await decodeLines(decodeTaf);
}
