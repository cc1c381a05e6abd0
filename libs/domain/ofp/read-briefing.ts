/** Contents of a briefing: NOTAM of airports and regions, files at SimBrief, and reasons for extra fuel. */
import type { Cursor } from './cursor.ts';
import { ranges } from './ranges.ts';
import type { OfpFile, OfpFuelBucket, OfpNotam } from './schema-parts.ts';
import { timeOf } from './scalars.ts';

const maxBuckets = 20;

export const readFuelBuckets = (plan: Cursor): OfpFuelBucket[] =>
  plan
    .eachIn('fuel_extra', 'bucket')
    .filter((bucket) => !bucket.isEmpty)
    .slice(0, maxBuckets)
    .map((bucket) => ({
      name: bucket.text(60, 'label', 'name'),
      fuel: bucket.number(ranges.weight, 'fuel'),
      time: bucket.text(20, 'time'),
      isRequired: bucket.flag('required'),
    }));

const maxNotams = 2_000;
const maxNotamText = 4_000;

/** ISO 8601 from one of these members, or from `202609012200`. */
const notamTime = (notam: Cursor, ...names: string[]): string | null => {
  const text = notam.text(40, ...names);
  const [, year, month, day, hour, minute] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(text ?? '') ?? [];
  return timeOf(year === undefined ? text : `${year}-${month}-${day}T${hour}:${minute}:00Z`) ?? null;
};

const readNotam = (notam: Cursor, icao: string | null): OfpNotam[] => {
  const text = notam.text(maxNotamText, 'notam_text', 'notam_report', 'notam_raw');
  if (text === null) return [];
  const location = notam.text(10, 'location_icao', 'icao_id', 'location_id')?.toUpperCase() ?? icao;
  return [
    {
      id: notam.text(40, 'notam_id'),
      location,
      text,
      qCode: notam.text(10, 'notam_qcode'),
      from: notamTime(notam, 'date_effective', 'notam_effective_dtg'),
      to: notamTime(notam, 'date_expire', 'notam_expire_dtg'),
      isEstimated: notam.flag('date_expire_is_estimated'),
    },
  ];
};

const airportBlocks = ['origin', 'destination', 'alternate', 'takeoff_altn', 'enroute_altn'];

/** Without duplicates: planners list NOTAM with their airport and again together. */
export const readNotams = (plan: Cursor): OfpNotam[] => {
  const airports = [
    ...airportBlocks.flatMap((block) => plan.each(block)),
    ...plan.at('etops').each('suitable_airport'),
  ];
  const ofAirports = airports.flatMap((airport) => {
    const icao = airport.text(10, 'icao_code', 'icao')?.toUpperCase() ?? null;
    return airport.each('notam').flatMap((notam) => readNotam(notam, icao));
  });
  const others = plan.eachIn('notams', 'notamdrec').flatMap((notam) => readNotam(notam, null));
  const all = [...ofAirports, ...others];
  const keyOf = ({ id, location, text }: OfpNotam): string => `${location} ${id ?? text}`;
  return [...Map.groupBy(all, keyOf).values()].flatMap(([first]) => first ?? []).slice(0, maxNotams);
};

const maxFiles = 200;

/** A URL below the folder; null for anything else. */
const urlOf = (directory: string | null, link: string | null): string | null => {
  if (link === null || !URL.canParse(link, directory ?? undefined)) return null;
  const { protocol, href } = new URL(link, directory ?? undefined);
  return protocol === 'https:' || protocol === 'http:' ? href : null;
};

const readFile = (kind: OfpFile['kind'], format: string | null, file: Cursor, directory: string | null) => {
  const link = file.text(500, 'link');
  const name = file.text(100, 'name');
  if (link === null && name === null) return [];
  const ending = /\.([a-z0-9]{1,8})$/i.exec(link ?? '')?.[1]?.toLowerCase() ?? null;
  return [{ kind, format: format ?? ending, name, url: urlOf(directory, link) }];
};

const directoryOf = (block: Cursor): string | null => {
  const directory = block.text(500, 'directory');
  return directory === null || directory.endsWith('/') ? directory : `${directory}/`;
};

export const readFiles = (plan: Cursor): OfpFile[] => {
  const [files, fms, images] = [plan.at('files'), plan.at('fms_downloads'), plan.at('images')];
  const documents = [files.at('pdf'), ...files.each('file')];
  const formats = fms.names.filter((name) => name !== 'directory');
  return [
    ...documents.flatMap((file) => readFile('document', null, file, directoryOf(files))),
    ...formats.flatMap((format) => readFile('fms', format, fms.at(format), directoryOf(fms))),
    ...images.each('map').flatMap((file) => readFile('image', null, file, directoryOf(images))),
  ].slice(0, maxFiles);
};
