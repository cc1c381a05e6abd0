import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createDocument } from '../http/documents.ts';
import type { Document } from '../http/documents.ts';
import { landOutline } from '../services/land.ts';

const packageFile = (name: string): Promise<Buffer> => readFile(fileURLToPath(import.meta.resolve(name)));

interface Maker {
  type: string;
  read: () => Promise<string | Buffer>;
}

const makers: Readonly<Record<string, Maker>> = {
  'leaflet.js': { type: 'text/javascript', read: () => packageFile('leaflet/dist/leaflet.js') },
  'leaflet.css': { type: 'text/css', read: () => packageFile('leaflet/dist/leaflet.css') },
  'land.json': { type: 'application/geo+json', read: async () => JSON.stringify(await landOutline()) },
  'page.css': { type: 'text/css', read: () => readFile(new URL('status/page.css', import.meta.url)) },
  'docs.css': { type: 'text/css', read: () => readFile(new URL('docs/docs.css', import.meta.url)) },
  'site.css': {
    type: 'text/css',
    read: () => readFile(new URL('../site/site.css', import.meta.url)),
  },
  'status.js': {
    type: 'text/javascript',
    read: () => readFile(new URL('status-client.js', import.meta.url)),
  },
};

const made = new Map<string, Promise<Document>>();

const make = async ({ type, read }: Maker): Promise<Document> => createDocument(type, await read());

/** A script, style or data file of the pages, read once; null for an unknown name. */
export const assetOf = async (name: string): Promise<Document | null> => {
  const maker = Object.hasOwn(makers, name) ? makers[name] : undefined;
  if (!maker) return null;
  const asset = made.get(name) ?? make(maker);
  made.set(name, asset);
  return asset;
};
