import { isReject, parseNotam } from '#domain/notam/parse.ts';
import { createSplitter } from '#domain/notam/split.ts';
import type { Notam } from '#domain/notam/types.ts';

const shown = (notam: Notam) => ({
  number: notam.number,
  key: notam.key,
  type: notam.type,
  replaces: notam.replacesKey,
  fir: notam.fir,
  locations: notam.locations,
  airports: notam.airports,
  qCode: notam.qCode,
  from: notam.fromUtc,
  to: notam.toUtc,
  isPermanent: notam.isPermanent,
  isEstimated: notam.isEstimated,
  schedule: notam.scheduleRaw,
  scheduleRead: notam.schedule,
  effects: notam.effects,
  flags: notam.flags,
  text: notam.text,
});

const decode = (raw: string) => {
  const result = parseNotam(raw);
  return isReject(result) ? { error: result.reason, raw } : shown(result);
};

/**
 * ICAO or FAA texts separated by blank lines (a blank line inside item E is fine). Prints one JSON line each:
 * identification, validity, schedule, runway effects and what was not understood; or `error` and the text.
 */
export const decodeNotam = async (
  input: AsyncIterable<string | Uint8Array> | NodeJS.ReadableStream,
  write: (line: string) => void,
): Promise<void> => {
  const splitter = createSplitter();
  const decoder = new TextDecoder();
  let rest = '';
  const take = (lines: readonly string[]) => {
    for (const line of lines) for (const raw of splitter.push(line)) write(JSON.stringify(decode(raw)));
  };
  for await (const chunk of input as AsyncIterable<string | Uint8Array>) {
    const lines = (
      rest + (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }))
    ).split('\n');
    rest = lines.pop() ?? '';
    take(lines);
  }
  take([rest]);
  for (const raw of splitter.end()) write(JSON.stringify(decode(raw)));
};

/** `npm run decode -- notam < texts` */
export const run = async (): Promise<void> => {
  await decodeNotam(process.stdin, (line) => process.stdout.write(`${line}\n`));
};
