import type { NavdataSet } from '#domain/navdata/types.ts';
import { SourceError, refuseHtml } from '#domain/source-error.ts';
import { numberOf, positionOf, readCsv } from '../csv.ts';
import { readFaaNavdata } from './faa.ts';
import { pointCollector } from './points.ts';
import { isXPlane, readXPlane } from './xplane.ts';

const columns = ['ident', 'name', 'type', 'frequency_khz', 'latitude_deg', 'longitude_deg'];

/** Reads OurAirports navaids.csv (public domain, undated), with all frequencies in kHz. */
const readOurAirportsNavaids = (bytes: Uint8Array): NavdataSet => {
  const found = pointCollector();
  for (const row of readCsv(bytes, { required: columns, what: 'navaids.csv' })) {
    const position = positionOf(row['latitude_deg'], row['longitude_deg']);
    const khz = numberOf(row['frequency_khz']) ?? numberOf(row['dme_frequency_khz']);
    found.add(
      {
        ident: row['ident'] ?? '',
        name: row['name'] ?? null,
        band: (row['type'] ?? '').startsWith('NDB') ? 'lf' : 'vhf',
        frequencyMhz: khz === null ? null : khz / 1000,
        latitudeDeg: position?.latitudeDeg ?? null,
        longitudeDeg: position?.longitudeDeg ?? null,
      },
      JSON.stringify(row),
    );
  }
  return found.set('ourairports', null);
};

/**
 * Reads one unpacked navigation data file, identified by content: OurAirports navaids CSV, FAA JSON, or X-Plane
 * earth_fix/earth_nav/earth_awy. Throws SourceError.
 */
export const readNavdata = (bytes: Buffer): NavdataSet => {
  const head = bytes.toString('latin1', 0, 20_000);
  refuseHtml(head);
  if (/^(?:ï»¿)?\s*\{/.test(head)) return readFaaNavdata(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  if (isXPlane(head)) return readXPlane(bytes.toString('utf8'));
  if (/frequency_khz/.test(head.split('\n')[0] ?? '')) return readOurAirportsNavaids(bytes);
  if (bytes.length === 0) throw new SourceError('EMPTY', 'The navigation file is empty.');
  throw new SourceError(
    'WRONG_CONTENT',
    'The file is not navigation data (OurAirports navaids CSV, FAA JSON or X-Plane).',
  );
};
