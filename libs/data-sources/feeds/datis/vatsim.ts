import { z } from 'zod';
import { airportOfCallsign } from '#domain/weather/datis.ts';
import type { NetworkBAtisRecord } from '#domain/weather/datis.ts';
import type { ParseResult } from '#domain/weather/types.ts';
import { SourceError } from '#domain/source-error.ts';
import { parseSourceJson } from '../../weather/source-json.ts';
import { frequencyText } from './frequency.ts';

const knownVersion = 3;

const stationSchema = z.object({
  callsign: z.string(),
  frequency: z.union([z.string(), z.number()]).nullish(),
  atis_code: z.string().nullish(),
  text_atis: z.array(z.string()).nullish(),
});

const feedSchema = z.object({
  general: z.object({ version: z.number(), update_timestamp: z.string().nullish() }),
  atis: z.array(z.unknown()),
});

/**
 * The second network's ATIS: the whole data feed v3, or its light list of ATIS stations only (a JSON array).
 * Stations without a code or text are kept: they are connected. An empty `atis` in a well-formed feed means
 * that none is. Throws SourceError for other content and other versions.
 */
export const parseVatsimAtis = (
  text: string,
): ParseResult<NetworkBAtisRecord> & { updatedAt: string | null } => {
  const json = parseSourceJson(text, "The network's answer");
  const { items, updatedAt } = Array.isArray(json)
    ? { items: json as unknown[], updatedAt: null }
    : readFeed(json);
  const result: ParseResult<NetworkBAtisRecord> = { records: [], rejects: [] };
  for (const item of items) {
    const parsed = stationSchema.safeParse(item);
    if (!parsed.success) {
      result.rejects.push({
        reason: z.prettifyError(parsed.error),
        sample: JSON.stringify(item).slice(0, 120),
      });
      continue;
    }
    const { callsign, frequency, atis_code: atisCode, text_atis: lines } = parsed.data;
    const icao = airportOfCallsign(callsign);
    if (icao === null) continue;
    result.records.push({
      icao,
      frequency: frequencyText(frequency),
      lines: lines ?? [],
      callsign,
      atisCode: atisCode ?? null,
    });
  }
  if (result.records.length === 0 && result.rejects.length > 0) {
    throw new SourceError('EMPTY', 'No ATIS of the feed is readable.');
  }
  return { ...result, updatedAt };
};

const readFeed = (json: unknown): { items: unknown[]; updatedAt: string | null } => {
  const parsed = feedSchema.safeParse(json);
  if (!parsed.success)
    throw new SourceError('WRONG_CONTENT', 'The feed has no general part or no ATIS list.');
  const { general, atis } = parsed.data;
  if (general.version !== knownVersion) {
    throw new SourceError(
      'SCHEMA_VERSION',
      `Data feed version ${general.version} is not supported (supported: 3).`,
    );
  }
  return { items: atis, updatedAt: general.update_timestamp ?? null };
};
