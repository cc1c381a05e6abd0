/** Parses the ATIS of both networks. */
import { z } from 'zod';
import { airportOfCallsign, isAirportPosition } from '#domain/weather/datis.ts';
import type { NetworkAAtisRecord, NetworkBAtisRecord } from '#domain/weather/datis.ts';
import type { ParseResult } from '#domain/weather/types.ts';
import { SourceError } from '#domain/source-error.ts';
import { parseSourceJson } from '../../weather/source-json.ts';

interface DatedResult<T> extends ParseResult<T> {
  updatedAt: string | null;
}

const what = "The network's answer";

/** Three decimals (`118.000`), as in both networks' clients; null for an invalid radio frequency. */
const frequencyText = (frequency: string | number | null | undefined): string | null => {
  const mhz =
    frequency === null || frequency === undefined || frequency === '' ? Number.NaN : Number(frequency);
  return Number.isFinite(mhz) && mhz > 0 && mhz < 1_000 ? mhz.toFixed(3) : null;
};

const readItems = <Schema extends z.ZodType>(
  items: readonly unknown[],
  schema: Schema,
): ParseResult<z.output<Schema>> => {
  const result: ParseResult<z.output<Schema>> = { records: [], rejects: [] };
  for (const item of items) {
    const { data, error } = schema.safeParse(item);
    if (error)
      result.rejects.push({ reason: z.prettifyError(error), sample: JSON.stringify(item).slice(0, 120) });
    else result.records.push(data);
  }
  return result;
};

const unlessUnreadable = <T>(result: DatedResult<T>, list: string): DatedResult<T> => {
  if (result.records.length === 0 && result.rejects.length > 0)
    throw new SourceError('EMPTY', `No ATIS of the ${list} is readable.`);
  return result;
};

const atisItemSchema = z.object({
  lines: z.array(z.string()),
  callsign: z.string(),
  // The feed sends letters, although one published type definition says number.
  revision: z.union([z.string(), z.number()]).nullish(),
  timestamp: z.string(),
  sessionId: z.int(),
});

const controllerSchema = z.object({
  id: z.int(),
  callsign: z.string(),
  atcSession: z.object({ frequency: z.number().nullish() }).nullish(),
  atis: atisItemSchema.omit({ callsign: true, sessionId: true }).nullish(),
});

const whazzupSchema = z.object({
  updatedAt: z.string().nullish(),
  clients: z.object({ atcs: z.array(z.unknown()) }),
});

const readWhazzup = (text: string | null): DatedResult<z.output<typeof controllerSchema>> => {
  if (text === null) return { records: [], rejects: [], updatedAt: null };
  const { data } = whazzupSchema.safeParse(parseSourceJson(text, what));
  if (!data) throw new SourceError('WRONG_CONTENT', 'The whazzup feed has no list clients.atcs.');
  return { ...readItems(data.clients.atcs, controllerSchema), updatedAt: data.updatedAt ?? null };
};

const readAtisList = (text: string): unknown[] => {
  const list = parseSourceJson(text, what);
  if (!Array.isArray(list)) throw new SourceError('WRONG_CONTENT', 'The ATIS list is not a JSON array.');
  return list;
};

/**
 * Parses first-network ATIS: the list `tracker/whazzup/atis`, with frequencies joined from the whole feed
 * `tracker/whazzup` by session id, else by callsign. With only the whole feed, its own ATIS texts are read; with only
 * the list, frequencies are null. Centre and flight service positions are omitted, as they belong to a region. Throws
 * SourceError for other content, or for an empty list while the feed shows controllers with an ATIS.
 */
export const parseIvaoAtis = (
  atisText: string | null,
  whazzupText: string | null,
): DatedResult<NetworkAAtisRecord> => {
  const { records: controllers, rejects: feedRejects, updatedAt } = readWhazzup(whazzupText);
  const inFeed = controllers.flatMap((c) =>
    c.atis ? [{ ...c.atis, callsign: c.callsign, sessionId: c.id } as unknown] : [],
  );
  const items = atisText === null ? inFeed : readAtisList(atisText);
  if (items.length === 0 && inFeed.length > 0)
    throw new SourceError('EMPTY', `The ATIS list is empty, but the feed contains ${inFeed.length} of them.`);
  const bySession = new Map(controllers.map((c) => [c.id, c]));
  const byCallsign = new Map(controllers.map((c) => [c.callsign, c]));
  const { records: listed, rejects } = readItems(items, atisItemSchema);
  const records = listed.flatMap(({ callsign, sessionId, lines, timestamp, revision }) => {
    const icao = airportOfCallsign(callsign);
    if (icao === null || !isAirportPosition(callsign)) return [];
    const session = bySession.get(sessionId) ?? byCallsign.get(callsign);
    const letter = revision === null || revision === undefined ? null : String(revision);
    const frequency = frequencyText(session?.atcSession?.frequency);
    return [{ icao, frequency, timestamp, atis: lines, callsign, revision: letter, sessionId }];
  });
  return unlessUnreadable({ records, rejects: [...feedRejects, ...rejects], updatedAt }, 'list');
};

const knownVersion = 3;

const stationSchema = z.object({
  callsign: z.string(),
  frequency: z.union([z.string(), z.number()]).nullish(),
  atis_code: z.string().nullish(),
  text_atis: z.array(z.string()).nullish(),
});

const dataFeedSchema = z.object({
  general: z.object({ version: z.number(), update_timestamp: z.string().nullish() }),
  atis: z.array(z.unknown()),
});

const readDataFeed = (json: unknown): { items: unknown[]; updatedAt: string | null } => {
  if (Array.isArray(json)) return { items: json, updatedAt: null };
  const { data } = dataFeedSchema.safeParse(json);
  if (!data) throw new SourceError('WRONG_CONTENT', 'The feed has no general part or no ATIS list.');
  const { version, update_timestamp: updatedAt } = data.general;
  if (version !== knownVersion)
    throw new SourceError(
      'SCHEMA_VERSION',
      `Data feed version ${version} is not supported (supported: ${knownVersion}).`,
    );
  return { items: data.atis, updatedAt: updatedAt ?? null };
};

/**
 * Parses second-network ATIS: the whole data feed v3, or its shorter list of ATIS stations (a JSON array). Stations
 * without a code or text are kept, since they are connected. An empty `atis` in a well-formed feed means that none is
 * connected. Throws SourceError for other content or versions.
 */
export const parseVatsimAtis = (text: string): DatedResult<NetworkBAtisRecord> => {
  const { items, updatedAt } = readDataFeed(parseSourceJson(text, what));
  const { records: stations, rejects } = readItems(items, stationSchema);
  const records = stations.flatMap(({ callsign, frequency, atis_code: atisCode, text_atis: lines }) => {
    const icao = airportOfCallsign(callsign);
    if (icao === null) return [];
    return [
      {
        icao,
        frequency: frequencyText(frequency),
        atis: lines ?? [],
        callsign,
        atisCode: atisCode ?? null,
      },
    ];
  });
  return unlessUnreadable({ records, rejects, updatedAt }, 'feed');
};
