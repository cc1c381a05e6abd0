import { z } from 'zod';
import { airportOfCallsign, isAirportPosition } from '#domain/weather/datis.ts';
import type { NetworkAAtisRecord } from '#domain/weather/datis.ts';
import type { ParseResult } from '#domain/weather/types.ts';
import { SourceError } from '#domain/source-error.ts';
import { parseSourceJson } from '../../weather/source-json.ts';
import { frequencyText } from './frequency.ts';

const atisItemSchema = z.object({
  lines: z.array(z.string()),
  callsign: z.string(),
  // Letters in the feed; one published type definition of it has a number.
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

/**
 * The first network's ATIS: the list `tracker/whazzup/atis` joined with the whole feed `tracker/whazzup` for
 * the frequency, by session id, else by callsign. With only the whole feed the ATIS texts in it are read; with
 * only the list, frequencies are null. Centre and flight service positions are left out because they belong to
 * a region. Throws SourceError for other content, or when the list is empty while the feed shows
 * controllers with an ATIS.
 */
export const parseIvaoAtis = (
  atisText: string | null,
  whazzupText: string | null,
): ParseResult<NetworkAAtisRecord> & { updatedAt: string | null } => {
  const feed = whazzupText === null ? null : readFeed(whazzupText);
  const controllers = feed?.controllers ?? [];
  const inFeed = controllers.flatMap((c) =>
    c.atis ? [{ ...c.atis, callsign: c.callsign, sessionId: c.id } as unknown] : [],
  );
  const items = atisText === null ? inFeed : readList(atisText);
  if (items.length === 0 && inFeed.length > 0) {
    throw new SourceError('EMPTY', `The ATIS list is empty, but the feed contains ${inFeed.length} of them.`);
  }
  const result: ParseResult<NetworkAAtisRecord> = { records: [], rejects: [...(feed?.rejects ?? [])] };
  const bySession = new Map(controllers.map((c) => [c.id, c]));
  const byCallsign = new Map(controllers.map((c) => [c.callsign, c]));
  for (const item of items) {
    const parsed = atisItemSchema.safeParse(item);
    if (!parsed.success) {
      result.rejects.push({
        reason: z.prettifyError(parsed.error),
        sample: JSON.stringify(item).slice(0, 120),
      });
      continue;
    }
    const { callsign, sessionId, lines, timestamp, revision } = parsed.data;
    const icao = airportOfCallsign(callsign);
    if (icao === null || !isAirportPosition(callsign)) continue;
    const session = bySession.get(sessionId) ?? byCallsign.get(callsign);
    result.records.push({
      icao,
      frequency: frequencyText(session?.atcSession?.frequency),
      timestamp,
      lines,
      callsign,
      revision: revision === null || revision === undefined ? null : String(revision),
      sessionId,
    });
  }
  if (result.records.length === 0 && result.rejects.length > 0) {
    throw new SourceError('EMPTY', 'No ATIS of the list is readable.');
  }
  return { ...result, updatedAt: feed?.updatedAt ?? null };
};

const readList = (text: string): unknown[] => {
  const list = parseSourceJson(text, "The network's answer");
  if (!Array.isArray(list)) throw new SourceError('WRONG_CONTENT', 'The ATIS list is not a JSON array.');
  return list;
};

const readFeed = (
  text: string,
): {
  updatedAt: string | null;
  controllers: z.output<typeof controllerSchema>[];
  rejects: { reason: string; sample: string }[];
} => {
  const feed = whazzupSchema.safeParse(parseSourceJson(text, "The network's answer"));
  if (!feed.success) throw new SourceError('WRONG_CONTENT', 'The whazzup feed has no list clients.atcs.');
  const controllers: z.output<typeof controllerSchema>[] = [];
  const rejects: { reason: string; sample: string }[] = [];
  for (const item of feed.data.clients.atcs) {
    const parsed = controllerSchema.safeParse(item);
    if (parsed.success) controllers.push(parsed.data);
    else rejects.push({ reason: z.prettifyError(parsed.error), sample: JSON.stringify(item).slice(0, 120) });
  }
  return { updatedAt: feed.data.updatedAt ?? null, controllers, rejects };
};
