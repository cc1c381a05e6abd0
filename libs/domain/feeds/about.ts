/** Descriptions of feeds in plain words. */
interface FeedAbout {
  title: string;
  text: string;
}

const feeds: Readonly<Record<string, FeedAbout>> = {
  airports: { title: 'Airports', text: 'Airports, runways and declared distances of the world' },
  datis: { title: 'D-ATIS', text: 'Controllers of both online networks' },
  'datis.ivao': { title: 'D-ATIS, IVAO', text: 'Controllers of this online network' },
  'datis.vatsim': { title: 'D-ATIS, VATSIM', text: 'Controllers of this online network' },
  magvar: { title: 'Magnetic variation', text: 'Of every airport, by the World Magnetic Model' },
  map: { title: 'Airport map', text: 'The file behind the map below' },
  metar: { title: 'METAR', text: 'Observed weather of the world' },
  navdata: { title: 'Navigation data', text: 'Navaids, fixes and airways' },
  notam: { title: 'NOTAM', text: 'Closed and shortened runways' },
  obstacles: { title: 'Obstacles', text: 'Tall obstacles near runways' },
  osm: { title: 'Runway exits', text: 'Exits and intersections from OpenStreetMap' },
  pirep: { title: 'PIREP', text: 'Reports of pilots and aircraft' },
  sigmet: { title: 'SIGMET', text: 'Warnings of hazardous weather en route' },
  'sigmet.airsigmet': { title: 'SIGMET, United States', text: 'Convection, turbulence, icing, ash' },
  'sigmet.gairmet': { title: 'G-AIRMET', text: 'Moderate hazards over the United States' },
  'sigmet.isigmet': { title: 'SIGMET, world', text: 'By flight information region' },
  taf: { title: 'TAF', text: 'Weather forecasts of the world' },
  timezones: { title: 'Time zones', text: 'Of every airport, by its position' },
  winds: { title: 'Winds aloft', text: 'Global model, winds and temperatures by level' },
};

export const feedAbout = (feed: string): FeedAbout => feeds[feed] ?? { title: feed, text: '' };
