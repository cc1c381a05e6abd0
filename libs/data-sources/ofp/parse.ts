/** Parses a document's bytes into the stored form. Runs in the parser thread. */
import { createHash } from 'node:crypto';
import type { OfpVersion } from '#domain/ofp/identity.ts';
import { readPlan, unwrapped } from '#domain/ofp/read.ts';
import type { NormalizedOfp } from '#domain/ofp/schema.ts';
import { factsOf } from '#domain/ofp/summary.ts';
import type { OfpFacts } from '#domain/ofp/summary.ts';
import type { OfpWarning } from '#domain/ofp/warnings.ts';
import { isRecord } from '#domain/record.ts';
import { OfpDocumentError, readDocument, textOfDocument } from './document.ts';

/** A plan without its long lists, which stay in the JSON text. */
type OfpCore = Omit<NormalizedOfp, 'fixes' | 'navlog' | 'notams'>;

export interface ParsedPlan extends OfpVersion {
  kind: 'plan';
  format: 'json' | 'xml';
  sequenceId: string | null;
  facts: OfpFacts;
  core: OfpCore;
  warnings: OfpWarning[];
  /** `NormalizedOfp` and the document as JSON. */
  normalized: string;
  original: string;
}

/** `status`: SimBrief's reason for sending no plan; null when the document has none. */
export type ParsedDocument = ParsedPlan | { kind: 'other'; status: string | null; problem: string };

export interface ParseTask {
  content: Uint8Array | string;
  /** False: NOTAM, more than half of a document, are not stored. */
  keepNotams: boolean;
}

const statusOf = (document: unknown): string | null => {
  const fetch = isRecord(document) ? document['fetch'] : null;
  const status = isRecord(fetch) ? fetch['status'] : null;
  return typeof status === 'string' ? status.slice(0, 300) : null;
};

const withoutNotam = (block: unknown): unknown => {
  if (Array.isArray(block)) return block.map(withoutNotam);
  if (!isRecord(block)) return block;
  const { notam: _, ...rest } = block;
  return rest;
};

const airports = ['origin', 'destination', 'alternate', 'takeoff_altn', 'enroute_altn'];

const withoutNotams = (document: Record<string, unknown>): Record<string, unknown> => {
  const { notams: _, ...rest } = document;
  const changed = airports.filter((name) => Object.hasOwn(rest, name));
  return { ...rest, ...Object.fromEntries(changed.map((name) => [name, withoutNotam(rest[name])])) };
};

/** Names of list entries, omitted in the newer JSON. */
const entryNames: ReadonlySet<string> = new Set(['fix', 'level', 'notamdrec', 'bucket']);

/** Times and durations are Unix seconds and seconds in one format, ISO 8601 and clock times in another. */
const canonicalText = (text: string): string => {
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(text)) return String(Date.parse(text) / 1_000);
  const [, sign, hours, minutes, seconds] = /^([+-]?)(\d+):(\d\d):(\d\d)$/.exec(text) ?? [];
  if (hours === undefined) return text;
  return `${sign === '-' ? '-' : ''}${(Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)}`;
};

/** Canonical form of a value, equal in the new JSON, the old JSON (all text) and XML (a list of one is its entry). */
const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.length < 2 ? canonical(value[0]) : value.map(canonical);
  if (isRecord(value)) {
    const members = Object.entries(value).map(([name, member]) => [name, canonical(member)] as const);
    const known = members.filter(([, member]) => member !== '').toSorted(([a], [b]) => (a < b ? -1 : 1));
    const [first] = known;
    if (first && known.length === 1 && entryNames.has(first[0])) return first[1];
    return known.length === 0 ? '' : Object.fromEntries(known);
  }
  if (value === null || value === undefined) return '';
  return canonicalText(typeof value === 'string' ? value.trim() : JSON.stringify(value));
};

const hashOf = (document: unknown): string => {
  const { fetch: _, ...rest } = isRecord(document) ? document : {};
  return createHash('sha256')
    .update(JSON.stringify(canonical(rest)))
    .digest('hex');
};

/** Never throws because of the document. */
export const parseDocument = ({ content, keepNotams }: ParseTask): ParsedDocument => {
  try {
    const { format, document: given } = readDocument(
      typeof content === 'string' ? content : textOfDocument(content),
    );
    const document = unwrapped(given);
    const read = readPlan(document);
    if (!read || !isRecord(document))
      return { kind: 'other', status: statusOf(document), problem: 'it has no origin and no destination' };
    const { ids, warnings } = read;
    const ofp = keepNotams ? read.ofp : { ...read.ofp, notams: [] };
    const { fixes: _, navlog: __, notams: ___, ...core } = ofp;
    return {
      kind: 'plan',
      format,
      ...ids,
      facts: factsOf(ofp),
      core,
      warnings,
      contentHash: hashOf(document),
      hasNotams: (ofp.notams?.length ?? 0) > 0,
      // Lone surrogates and NUL characters become escapes, which the database can store.
      normalized: JSON.stringify(ofp),
      original: JSON.stringify(keepNotams ? document : withoutNotams(document)),
    };
  } catch (error) {
    if (!(error instanceof OfpDocumentError)) throw error;
    return { kind: 'other', status: null, problem: error.message };
  }
};
