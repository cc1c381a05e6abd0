import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { z } from 'zod';
import type { Position } from '#domain/airports/types.ts';

export interface TimeZoneTarget extends Position {
  icao: string;
}

export interface AirportTimeZone extends TimeZoneTarget {
  /** IANA name; null when the lookup has none that this version of Node supports. */
  timeZone: string | null;
}

/** True for a zone of this version of Node, including the older names, which its list omits. */
export const isTimeZone = (timeZone: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
};

const script = join(import.meta.dirname, 'lookup-process.ts');
/** A small heap is collected early: decoding a part of the map leaves much garbage. */
const heapLimits = ['--max-semi-space-size=4', '--max-old-space-size=64'];

const answerSchema = z.array(z.array(z.string()));

/** The zones of every position, in its order; found in a process whose memory is free again afterwards. */
const findAll = async (positions: readonly Position[], signal?: AbortSignal): Promise<string[][]> => {
  const child = fork(script, [], {
    execArgv: heapLimits,
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    ...(signal ? { signal } : {}),
  });
  let output = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => void (output += text));
  // Only at the end of the channel have all messages been delivered.
  const ended = Promise.all([once(child, 'close'), once(child, 'disconnect')]).then(([[code, killedBy]]) => {
    const reason = /^\w*Error: .*$/m.exec(output)?.[0] ?? String(killedBy ?? code);
    throw new Error(`The time zone lookup ended without an answer: ${reason}`);
  });
  const answered = once(child, 'message').then(([answer]) => answerSchema.parse(answer));
  child.send(positions.map(({ latitudeDeg, longitudeDeg }) => ({ latitudeDeg, longitudeDeg })));
  return Promise.race([answered, ended]);
};

/**
 * Time zones by position (geo-tz, boundaries of OpenStreetMap, ODbL). The lookup runs in a separate process,
 * which an abort ends; only the scheduler calls this, all other code reads the stored zone.
 */
export const findTimeZones = async (
  airports: readonly TimeZoneTarget[],
  signal?: AbortSignal,
): Promise<AirportTimeZone[]> => {
  if (airports.length === 0) return [];
  const found = await findAll(airports, signal);
  const known = new Map([...new Set(found.flat())].map((zone) => [zone, isTimeZone(zone)]));
  return airports.map((airport, at) => ({
    ...airport,
    // Disputed areas give two zones; the first is the one with the larger population.
    timeZone: found[at]?.find((zone) => known.get(zone)) ?? null,
  }));
};
