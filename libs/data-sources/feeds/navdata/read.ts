import type { NavdataSet } from '#domain/navdata/types.ts';
import { SourceError, refuseHtml } from '#domain/source-error.ts';
import { isArinc424, readArinc424 } from './arinc424.ts';
import { readFaaNavdata } from './faa.ts';
import { readOurAirportsNavaids } from './ourairports.ts';
import { isXPlane, readXPlane } from './xplane.ts';

/**
 * Reads one unpacked navigation data file, identified by content: OurAirports navaids CSV, FAA JSON, X-Plane
 * earth_fix/earth_nav/earth_awy, or ARINC 424 such as FAA CIFP. Throws SourceError.
 */
export const readNavdata = async (bytes: Buffer, signal?: AbortSignal): Promise<NavdataSet> => {
  const head = bytes.toString('latin1', 0, 20_000);
  refuseHtml(head);
  if (/^(?:ï»¿)?\s*\{/.test(head)) return readFaaNavdata(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  if (isXPlane(head)) return readXPlane(bytes.toString('utf8'));
  if (/frequency_khz/.test(head.split('\n')[0] ?? '')) return readOurAirportsNavaids(bytes, signal);
  if (isArinc424(head)) return readArinc424(bytes.toString('latin1'));
  if (bytes.length === 0) throw new SourceError('EMPTY', 'The navigation file is empty.');
  throw new SourceError(
    'WRONG_CONTENT',
    'The file is not navigation data (OurAirports navaids CSV, FAA JSON, X-Plane, or ARINC 424 such as the CIFP of the FAA).',
  );
};
