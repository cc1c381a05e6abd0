import type { Position } from '../airports/types.ts';

/**
 * "4742N01850E001" or "374200N0907300W": degrees and minutes, optional seconds and radius. Null when out of
 * range.
 */
const parseQPosition = (text: string): Position | null => {
  const match = /^(\d\d)(\d\d)(\d\d)?([NS])(\d{3})(\d\d)(\d\d)?([EW])/.exec(text.replace(/\s+/g, ''));
  if (!match) return null;
  const [, latDeg, latMin, latSec = '0', ns, lonDeg, lonMin, lonSec = '0', ew] = match;
  if (Number(latMin) > 59 || Number(lonMin) > 59) return null;
  const latitude = Number(latDeg) + Number(latMin) / 60 + Number(latSec) / 3600;
  const longitude = Number(lonDeg) + Number(lonMin) / 60 + Number(lonSec) / 3600;
  if (latitude > 90 || longitude > 180) return null;
  return {
    latitudeDeg: ns === 'S' ? -latitude : latitude,
    longitudeDeg: ew === 'W' ? -longitude : longitude,
  };
};

/**
 * Item Q: FIR/code/traffic/purpose/scope/lower/upper/position. Blanks around and inside the fields are allowed.
 */
export const parseQLine = (text: string) => {
  const fields = text.split('/').map((field) => field.replace(/\s+/g, '').toUpperCase());
  const [fir = '', qCode = '', , , scope] = fields;
  if (!/^[A-Z]{3,4}$/.test(fir) || !/^Q[A-Z]{4}$/.test(qCode)) return null;
  return {
    // US military NOTAM name a centre here, but are not numbered per centre.
    fir: fir.length === 4 ? fir : null,
    qCode,
    scope: scope || null,
    position: parseQPosition(fields[7] ?? ''),
  };
};

/** Q codes whose texts can change a runway: movement area, markings, facilities, airspace, services, FAA's QXXXX. */
export const mayAffectRunways = (qCode: string | null): boolean =>
  qCode === null || /^Q(M[RDTSCXYAPKNM]|FA|XX|A|S)/.test(qCode);

/** Airspace and air traffic services: aerodrome closures may be announced with them. */
export const isAboutServices = (qCode: string | null): boolean => qCode !== null && /^Q[AS]/.test(qCode);

/** Runway, declared distances, threshold: text not understood becomes a flagged note. */
export const isAboutRunways = (qCode: string | null): boolean => qCode !== null && /^QM[RDT]/.test(qCode);

/** Taxiways, aprons and parking: a runway named in the text only locates the closed part. */
export const isAboutTaxiways = (qCode: string | null): boolean => qCode !== null && /^QM[XYAPKN]/.test(qCode);

/** Figures in texts about taxiways, aprons and parking belong to positions, not to the runway. */
export const statesDistances = (qCode: string | null): boolean =>
  qCode === null || /^Q(M[RDTSCM]|FA|XX)/.test(qCode);
