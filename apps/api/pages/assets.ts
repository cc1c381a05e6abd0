import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { landOutline } from './land.ts';

export interface Asset {
  type: string;
  bytes: Buffer;
  etag: string;
}

const packageFile = (name: string): Promise<Buffer> => readFile(fileURLToPath(import.meta.resolve(name)));

/** The outline of the land, from the atlas package: Natural Earth, public domain. */
const land = async (): Promise<Buffer> => {
  const topology = await packageFile('world-atlas/land-110m.json');
  return Buffer.from(JSON.stringify(landOutline(topology.toString('utf8'))));
};

const makers: Readonly<Record<string, { type: string; read: () => Promise<Buffer> }>> = {
  'leaflet.js': { type: 'text/javascript', read: () => packageFile('leaflet/dist/leaflet.js') },
  'leaflet.css': { type: 'text/css', read: () => packageFile('leaflet/dist/leaflet.css') },
  'land.json': { type: 'application/geo+json', read: land },
  'status.js': {
    type: 'text/javascript',
    read: () => readFile(new URL('status-client.js', import.meta.url)),
  },
};

const made = new Map<string, Promise<Asset>>();

const make = async ({ type, read }: { type: string; read: () => Promise<Buffer> }): Promise<Asset> => {
  const bytes = await read();
  return { type, bytes, etag: `"${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}"` };
};

/** A file of the status page, from the installed packages, read once; null when there is none of this name. */
export const assetOf = async (name: string): Promise<Asset | null> => {
  const maker = Object.hasOwn(makers, name) ? makers[name] : undefined;
  if (!maker) return null;
  const asset = made.get(name) ?? make(maker);
  made.set(name, asset);
  return asset;
};
