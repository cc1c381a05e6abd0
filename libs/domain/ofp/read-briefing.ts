/** Contents of a briefing: NOTAM of airports and regions, and files at SimBrief. */
import type { Cursor } from './cursor.ts';
import { ofpNotam } from './schema-parts.ts';
import type { OfpFile, OfpNotam } from './schema-parts.ts';

const maxNotams = 2_000;

const readNotam = (notam: Cursor, icao: string | null): OfpNotam[] => {
  const read = ofpNotam.read(notam);
  return read.text === '' ? [] : [{ ...read, location: read.location ?? icao }];
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
