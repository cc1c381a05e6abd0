/** Stored logos of virtual airlines. */
import type { Context as KoaContext } from 'koa';
import type { Context } from '#data/context.ts';
import { logoRepo } from '#store/postgres/virtual-airlines/virtual-airlines.ts';
import { logoIdOf, logoPath } from '#domain/virtual-airlines/logo.ts';
import { commonError } from '../errors.ts';
import { sendDocument } from '../http/documents.ts';

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
