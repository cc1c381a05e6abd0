import { readFile } from 'node:fs/promises';
import type { Context as KoaContext } from 'koa';
import { commonError } from '../errors.ts';
import { createDocument, sendDocument } from '../http/documents.ts';
import type { Document } from '../http/documents.ts';
import { landOutline } from '../services/land.ts';

interface Asset {
  type: string;
  read: () => Promise<string | Buffer>;
}

export const fileAsset = (type: string, url: URL): Asset => ({ type, read: () => readFile(url) });

const own = (type: string, path: string): Asset => fileAsset(type, new URL(path, import.meta.url));
const ofPackage = (type: string, name: string): Asset => fileAsset(type, new URL(import.meta.resolve(name)));

/** Scripts, styles and data of the pages, below `/status/`. */
export const commonAssets: Readonly<Record<string, Asset>> = {
  'leaflet.js': ofPackage('text/javascript', 'leaflet/dist/leaflet.js'),
  'leaflet.css': ofPackage('text/css', 'leaflet/dist/leaflet.css'),
  'land.json': { type: 'application/geo+json', read: async () => JSON.stringify(await landOutline()) },
  'page.css': own('text/css', 'status/page.css'),
  'docs.css': own('text/css', 'docs/docs.css'),
  'site.css': own('text/css', '../site/site.css'),
  'status.js': own('text/javascript', 'status-client.js'),
};

/** Serves these by name, each read once. Throws NOT_FOUND for an unknown name. */
export const serveAssets = (assets: Readonly<Record<string, Asset>>, cacheControl: string) => {
  const read = async ({ type, read: readContent }: Asset) => createDocument(type, await readContent());
  const documents = new Map<string, Promise<Document>>();
  return async (ctx: KoaContext, name = ''): Promise<void> => {
    const asset = Object.hasOwn(assets, name) ? assets[name] : undefined;
    if (!asset) throw commonError('NOT_FOUND');
    const document = documents.get(name) ?? read(asset);
    documents.set(name, document);
    await sendDocument(ctx, await document, cacheControl);
  };
};
