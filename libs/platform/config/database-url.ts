/**
 * Addresses of the database, of one server or several, one of which takes changes, as libpq has them:
 * `postgres://efb:…@a:5432,b:5432/efb?target_session_attrs=read-write`.
 */
import { z } from 'zod';

const parameter = 'target_session_attrs';
const form = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/;

/** The address of each server. */
export const addressesOf = (url: string): string[] => {
  const [, start = '', hosts = '', rest = ''] = form.exec(url) ?? [];
  return hosts.split(',').map((host) => {
    const address = `${start}${host}${rest}`;
    if (!address.includes(`${parameter}=`)) return address;
    const parsed = new URL(address);
    parsed.searchParams.delete(parameter);
    return parsed.href;
  });
};

/** Host and port of each server, without secrets. */
export const hostsOf = (url: string): string => form.exec(url)?.[2] ?? '';

/** The same servers, another database of theirs. */
export const withDatabase = (url: string, name: string): string =>
  url.replace(/^([^/]*\/\/[^/?#]*)[^?#]*/, (_, server: string) => `${server}/${encodeURIComponent(name)}`);

/** Null: it is one. Otherwise what is wrong with it. */
const problemOf = (url: string): string | null => {
  if (!/^postgres(ql)?:\/\//.test(url)) return 'must start with postgres://';
  const [, start = '', hosts = '', rest = ''] = form.exec(url) ?? [];
  const isReadable = hosts.split(',').every((host) => URL.canParse(`${start}${host}${rest}`));
  if (!isReadable) return 'has a server that is no host with a port';
  const target = new RegExp(`[?&]${parameter}=([^&]*)`).exec(rest)?.[1] ?? 'read-write';
  return target === 'read-write' || target === 'primary'
    ? null
    : `has ${parameter}=${target}; the service writes, so it must be read-write`;
};

export const databaseUrlSchema = z.string().superRefine((url, ctx) => {
  const problem = problemOf(url);
  if (problem !== null) ctx.addIssue({ code: 'custom', message: problem });
});
