/**
 * Where the web form may redirect a user after a password reset: https, or the scheme of an app. Schemes
 * that run script or read local data are refused.
 */
const forbidden = new Set([
  'javascript',
  'data',
  'vbscript',
  'file',
  'blob',
  'about',
  'http',
  'ws',
  'wss',
  'ftp',
  'view-source',
  'filesystem',
  'jar',
  'mailto',
  'intent',
]);
// eslint-disable-next-line no-control-regex -- browsers ignore these inside a scheme, so none may pass
const unsafeCharacters = /[\u0000-\u0020\u007f-\u009f\u00a0\u2028\u2029\\"'<>`]/u;

/**
 * The URL itself, or null when it is not allowed as a target. `allowedHosts` narrows https targets to the hosts
 * of one developer key; empty means every host.
 */
export const safeReturnUrl = (text: string, allowedHosts: readonly string[]): string | null => {
  if (text.length > 2_000 || unsafeCharacters.test(text)) return null;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined || forbidden.has(scheme)) return null;
  // A URL without an authority ("app:path") is fine for an app, but `https:example` is read differently by browsers.
  if (scheme === 'https' && !/^https:\/\/[^/]/i.test(text)) return null;
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.protocol !== `${scheme}:` || url.username !== '' || url.password !== '') return null;
  if (scheme === 'https' && allowedHosts.length > 0 && !allowedHosts.includes(url.hostname)) return null;
  return text;
};
