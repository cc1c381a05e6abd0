/** Pictures of users, with a neutral drawing for users without one, and stored logos of virtual airlines. */
import type { Context as KoaContext } from 'koa';
import type { Context } from '#data/context.ts';
import { pictureKey } from '#domain/users/pictures.ts';
import { commonError } from '../errors.ts';
import { sendDocument } from '../http/documents.ts';
import { logoRepo } from '#store/postgres/virtual-airlines/virtual-airlines.ts';
import { logoIdOf, logoPath } from '#domain/virtual-airlines/virtual-airline.ts';

const svg = (width: number, height: number, drawing: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="No picture">` +
  `<rect width="${width}" height="${height}" fill="#d5dbe3"/>${drawing}</svg>`;

const person =
  '<g fill="#8492a6"><circle cx="256" cy="196" r="92"/><path d="M80 512a176 176 0 0 1 352 0z"/></g>';
const plane =
  '<path fill="#8492a6" d="M482 512 290 400v-60l222 66V232l64-80 64 80v174l222-66v60L670 512v66l70 52v40l-164-46-164 46v-40l70-52z"/>';

const pictures: ReadonlyMap<string, string> = new Map([
  ['default-profile.svg', svg(512, 512, person)],
  ['default-alias.svg', svg(1152, 1024, plane)],
]);

const uploaded = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.jpg$/;

/** `GET /pictures/{name}`, without credentials: pictures are protected by their random names. */
export const servePicture = async (
  { storage }: Pick<Context, 'storage'>,
  ctx: KoaContext,
  name: string,
): Promise<void> => {
  const drawing = pictures.get(name);
  if (drawing !== undefined) {
    ctx.set('Cache-Control', 'public, max-age=86400');
    ctx.type = 'image/svg+xml';
    ctx.body = drawing;
    return;
  }
  const uploadId = uploaded.exec(name)?.[1];
  const bytes = uploadId === undefined ? null : await storage.get(pictureKey(uploadId));
  if (uploadId === undefined || !bytes) throw commonError('NOT_FOUND');
  // A new picture gets a new name.
  const etag = `"${uploadId}"`;
  // Deleted pictures must disappear from caches.
  const cacheControl = 'public, max-age=0, must-revalidate';
  await sendDocument(ctx, { etag, type: 'image/jpeg', read: () => bytes }, cacheControl);
};

/** `GET /logos/{id}`, without credentials. A new logo gets a new id. */
export const serveLogo = async (
  { postgres }: Pick<Context, 'postgres'>,
  ctx: KoaContext,
  name: string,
): Promise<void> => {
  const id = logoIdOf(logoPath(name));
  const logo = id === null ? null : await logoRepo(postgres.db).byId(id);
  if (!logo) throw commonError('NOT_FOUND');
  const document = { etag: `"${name}"`, type: logo.mediaType, read: () => logo.content };
  await sendDocument(ctx, document, 'public, max-age=86400, immutable');
};
