import type { NavdataSet } from '#domain/navdata/types.ts';
import { numberOf, positionOf, readCsv } from '../csv.ts';
import type { CsvInput } from '../csv.ts';
import { pointCollector } from './points.ts';

const columns = ['ident', 'name', 'type', 'frequency_khz', 'latitude_deg', 'longitude_deg'];

/** Reads OurAirports navaids.csv (public domain, undated), with all frequencies in kHz. */
export const readOurAirportsNavaids = async (input: CsvInput, signal?: AbortSignal): Promise<NavdataSet> => {
  const found = pointCollector();
  const options = { required: columns, what: 'navaids.csv', ...(signal ? { signal } : {}) };
  for await (const row of readCsv(input, options)) {
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
