/** Where the simulated server has what a variable of the service names. */
export const pathOfVariable: Readonly<Record<string, string>> = {
  METAR_URL: '/metars.cache.xml.gz',
  METAR_FALLBACK_URL: '/metar/{HH}Z.TXT',
  TAF_URL: '/tafs.cache.xml.gz',
  TAF_FALLBACK_URL: '/taf/{HH}Z.TXT',
  IVAO_URL: '/whazzup',
  VATSIM_URL: '/vatsim-data.json',
  AWC_URL: '',
  AIRPORTS_URL: '',
  WINDS_URLS: '/gfs.{YYYYMMDD}/{HH}/atmos/gfs.t{HH}z.pgrb2.1p00.f{FFF}',
  OVERPASS_URL: '/overpass',
  OBSTACLES_URL: '/obstacles.zip',
  NOTAM_URL: '/notams.txt',
  PLANNER_URL: '/xml.fetcher.php',
};
