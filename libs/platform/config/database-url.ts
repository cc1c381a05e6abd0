/** The address of the database: `postgres://efb:…@db:5432/efb`. */
import { z } from 'zod';

/** Host and port, without secrets. */
export const hostOf = (url: string): string => new URL(url).host;

/** The URL of another database on the same server. */
export const withDatabase = (url: string, name: string): string =>
  url.replace(/^([^/]*\/\/[^/?#]*)[^?#]*/, (_, server: string) => `${server}/${encodeURIComponent(name)}`);

const problemOf = (url: string): string | null => {
  if (!/^postgres(ql)?:\/\//.test(url)) return 'must start with postgres://';
  if (/^[^/]*\/\/(?:[^@/?#]*@)?[^@/?#]*,[^@]*(?:[/?#]|$)/.test(url))
    return 'names several servers; give the one address behind which a proxy finds the primary';
  return URL.canParse(url) ? null : 'has no valid host and port';
};

export const databaseUrlSchema = z.string().superRefine((url, ctx) => {
  const problem = problemOf(url);
  if (problem !== null) ctx.addIssue({ code: 'custom', message: problem });
});
