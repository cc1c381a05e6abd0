/** A source of GFS files; sources are tried in order. */
export interface WindSource {
  name: string;
  /** URL of a forecast hour's file, with placeholders. */
  template: string;
  /** `ranges`: inventory and byte ranges; `whole`: one request, for the field filter and for local files. */
  kind: 'ranges' | 'whole';
  /** Gaps up to this many octets are fetched together with their neighbours. */
  maxGapOctets: number;
  /** Minimum time between two requests, for servers that count them. */
  spacingMs: number;
  /** Concurrent requests. */
  parallel: number;
}

/** NOMADS blocks a user for a long time after 120 requests in a minute; we stay at 60. */
const nomads = { maxGapOctets: 400_000, spacingMs: 1_000, parallel: 1 };
const objectStore = { maxGapOctets: 40_000, spacingMs: 0, parallel: 6 };

/** Known layouts: one degree and 0.25 degree of the current model, and the names of its next version. */
export const knownTemplates = {
  nomads1p00:
    'https://nomads.ncep.noaa.gov/pub/data/nccf/com/gfs/prod/gfs.{YYYYMMDD}/{HH}/atmos/gfs.t{HH}z.pgrb2.1p00.f{FFF}',
  nomadsFilter1p00:
    'https://nomads.ncep.noaa.gov/cgi-bin/filter_gfs_1p00.pl?dir=%2Fgfs.{YYYYMMDD}%2F{HH}%2Fatmos&file=gfs.t{HH}z.pgrb2.1p00.f{FFF}',
  aws1p00: 'https://noaa-gfs-bdp-pds.s3.amazonaws.com/gfs.{YYYYMMDD}/{HH}/atmos/gfs.t{HH}z.pgrb2.1p00.f{FFF}',
  aws0p25: 'https://noaa-gfs-bdp-pds.s3.amazonaws.com/gfs.{YYYYMMDD}/{HH}/atmos/gfs.t{HH}z.pgrb2.0p25.f{FFF}',
  awsV17:
    'https://noaa-gfs-bdp-pds.s3.amazonaws.com/gfs.{YYYYMMDD}/{HH}/products/atmos/grib2/0p25/gfs.t{HH}z.pres_a.0p25.f{FFF}.grib2',
} as const;

/** A source for a template, with the limits its server requires. */
export const sourceOf = (template: string): WindSource => {
  const url = new URL(template.replaceAll(/[{}]/g, '0'));
  const isFilter = /\/filter_gfs_[^/]*\.pl$/.test(url.pathname);
  const whole = isFilter || url.protocol === 'file:';
  return {
    name: url.protocol === 'file:' ? 'local files' : url.host,
    template,
    kind: whole ? 'whole' : 'ranges',
    ...(url.hostname.endsWith('nomads.ncep.noaa.gov') ? nomads : objectStore),
  };
};

/**
 * The sources of a configuration, in order: its templates (each variable may hold several, separated by white
 * space), then the 0.25 degree files and the names of the model's next version on the object store, so that the
 * service survives the end of the one-degree files. `onlyOwn` leaves the latter out.
 */
export const windSources = (templates: readonly (string | undefined)[], onlyOwn = false): WindSource[] => {
  const own = templates.flatMap((text) => (text ?? '').split(/\s+/)).filter((text) => text !== '');
  const known = onlyOwn ? [] : [knownTemplates.aws0p25, knownTemplates.awsV17];
  return [...new Set([...own, ...known])].map(sourceOf);
};
