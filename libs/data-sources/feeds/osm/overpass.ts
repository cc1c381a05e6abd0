/** Overpass API of OpenStreetMap: https://wiki.openstreetmap.org/wiki/Overpass_API (data ODbL). */
import { z } from 'zod';
import type { Position } from '#domain/airports/types.ts';
import type { AerowayMap, Aeroway } from '#domain/exits/types.ts';
import { SourceError } from '#domain/source-error.ts';
import { parseSourceJson } from '../../weather/source-json.ts';

const marginDeg = 0.015;
const maxUnreadable = 0.2;

/**
 * Query for the aeroways of one airport within a box around its runways with a margin of 1.5 km. Node ids are included
 * (`out body`), because exits are found by shared nodes.
 */
export const overpassQuery = (points: readonly Position[]): string => {
  const latitudes = points.map((point) => point.latitudeDeg);
  const longitudes = points.map((point) => point.longitudeDeg);
  const middle = (Math.max(...latitudes) + Math.min(...latitudes)) / 2;
  const marginLon = marginDeg / Math.max(0.1, Math.cos((middle * Math.PI) / 180));
  const box = [
    Math.min(...latitudes) - marginDeg,
    Math.min(...longitudes) - marginLon,
    Math.max(...latitudes) + marginDeg,
    Math.max(...longitudes) + marginLon,
  ].map((value) => value.toFixed(5));
  return [
    '[out:json][timeout:60][maxsize:33554432];',
    `way["aeroway"~"^(runway|taxiway|taxilane)$"](${box.join(',')});`,
    'out body;>;out skel qt;',
  ].join('');
};

const elementSchema = z.object({
  type: z.string(),
  id: z.number(),
  lat: z.number().optional(),
  lon: z.number().optional(),
  nodes: z.array(z.number()).optional(),
  tags: z.record(z.string(), z.string()).optional(),
});

const answerSchema = z.object({
  osm3s: z.object({ timestamp_osm_base: z.string().optional() }).optional(),
  remark: z.string().optional(),
  elements: z.array(z.unknown()),
});

const nameOf = (tags: Readonly<Record<string, string>>): string | null => {
  const text = (tags['ref'] ?? tags['name'] ?? '').trim().toUpperCase();
  const name = text.replace(/^(?:TAXIWAY|TAXILANE|TWY|RUNWAY|RWY)\s+/, '');
  // Long texts are descriptions ("TO TERMINAL 2"), not designators; a list ("A;B") starts with the main designator.
  const first = (name.split(/[;,]/)[0] ?? '').trim();
  return first === '' || first.length > 8 ? null : first;
};

/** Blast pads are not part of the runway; a displaced threshold is. */
const isRunwayPart = (tags: Readonly<Record<string, string>>): boolean =>
  tags['area'] !== 'yes' && (tags['runway'] === undefined || tags['runway'] !== 'blast_pad');

/**
 * Parses the answer for one airport. Throws SourceError for a web page, an incomplete answer (a `remark` about a
 * time-out or memory) and anything else that is not Overpass JSON.
 */
export const parseOverpass = (text: string): AerowayMap => {
  const checked = answerSchema.safeParse(parseSourceJson(text, 'The map answer'));
  if (!checked.success) throw new SourceError('WRONG_CONTENT', 'The map answer has no list of elements.');
  const { elements, remark, osm3s } = checked.data;
  if (remark !== undefined && /error|timed out|timeout|memory/i.test(remark)) {
    throw new SourceError('INCOMPLETE', `The map answer is not complete: ${remark.slice(0, 160)}`);
  }
  const nodes = new Map<number, Position>();
  const runways: Aeroway[] = [];
  const taxiways: Aeroway[] = [];
  let unreadable = 0;
  for (const item of elements) {
    const parsed = elementSchema.safeParse(item);
    if (!parsed.success) {
      unreadable += 1;
      continue;
    }
    const { type, id, lat, lon, nodes: nodeIds, tags = {} } = parsed.data;
    if (type === 'node' && lat !== undefined && lon !== undefined) {
      nodes.set(id, { latitudeDeg: lat, longitudeDeg: lon });
    } else if (type === 'way' && nodeIds) {
      const way = { id, nodeIds };
      if (tags['aeroway'] === 'runway' && isRunwayPart(tags)) {
        // The designators of a runway must not be truncated at `;` or by length.
        runways.push({ ...way, name: (tags['ref'] ?? tags['name'] ?? '').trim().toUpperCase() || null });
      } else if (tags['aeroway'] === 'taxiway' || tags['aeroway'] === 'taxilane') {
        taxiways.push({ ...way, name: nameOf(tags) });
      }
    }
  }
  // Exits are found by shared nodes: gaps in the map would misplace them.
  if (unreadable > elements.length * maxUnreadable)
    throw new SourceError(
      'WRONG_CONTENT',
      `${unreadable} of ${elements.length} elements of the map answer are unreadable.`,
    );
  if (nodes.size === 0) throw new SourceError('EMPTY', 'The map answer has no aeroways.');
  return { nodes, runways, taxiways, timestamp: osm3s?.timestamp_osm_base ?? null };
};
