import type { Context as KoaContext } from 'koa';
import type { Context } from '#data/context.ts';
import { DomainError, UnavailableError } from '#domain/errors.ts';
import { ApiError, unavailableOf } from '../errors.ts';
import type { Services } from '../services/services.ts';
import { bare } from '../site/frame.ts';
import type { PageAnswer } from '../site/frame.ts';
import type { Html } from './html.ts';

export const send = (ctx: KoaContext, { status, headers, body }: PageAnswer): void => {
  ctx.status = status;
  ctx.set(headers);
  ctx.body = body;
};

export type Fields = Readonly<Record<string, string | undefined>>;

export interface PageParts {
  context: Context;
  services: Services;
}

/** A page with a form but no session. */
export interface FormPage {
  path: string;
  render: (context: Context, query: Fields) => PageAnswer | Promise<PageAnswer>;
  submit?: (parts: PageParts, fields: Fields, ip: string) => Promise<PageAnswer>;
  /** The page that shows an error of `render` or `submit`; null for one that is not expected. */
  failed?: (error: ApiError | DomainError, fields: Fields) => PageAnswer | null;
}

/** Runs `render` or `submit` of a page, and shows its errors with their headers. */
export const answered = async (
  { failed }: FormPage,
  fields: Fields,
  work: () => PageAnswer | Promise<PageAnswer>,
): Promise<PageAnswer> => {
  try {
    return await work();
  } catch (thrown) {
    const error = thrown instanceof UnavailableError ? unavailableOf(thrown) : thrown;
    const isApiError = error instanceof ApiError;
    const shown = isApiError || error instanceof DomainError ? failed?.(error, fields) : null;
    if (!shown) throw thrown;
    return isApiError ? { ...shown, headers: { ...shown.headers, ...error.headers } } : shown;
  }
};

/** A small page without scripts. Its URL may hold a secret, so it sends no Referer. */
export const page = (status: number, title: string, main: Html, head?: Html): PageAnswer => {
  const answer = bare(status, 'EFB back end', { title, main, ...(head ? { head } : {}) });
  return { ...answer, headers: { ...answer.headers, 'Referrer-Policy': 'no-referrer' } };
};
