/**
 * Where the web form may redirect a user after a password reset: to https hosts that the operator lists for the
 * developer key, and to apps, of which the key may list those that it allows. An entry is the host of https URLs
 * (`efb.example`) or the scheme of an app (`myefb:`).
 */
export const maxReturnUrlLength = 2_000;

/**
 * Schemes that run scripts, read local data, are not encrypted, call or write to someone, or belong to the browser or the
 * operating system: never allowed, even when listed.
 */
const forbidden = new Set([
  'javascript',
  'data',
  'vbscript',
  'file',
  'blob',
  'about',
  'http',
  'https',
  'ws',
  'wss',
  'ftp',
  'view-source',
  'filesystem',
  'jar',
  'mailto',
  'intent',
  'content',
  'android-app',
  'tel',
  'sms',
  'facetime',
  'smb',
  'nfs',
  'sftp',
  'ftps',
  'ssh',
  'telnet',
  'ldap',
  'ldaps',
  'shell',
  'search-ms',
  'jnlp',
  'mhtml',
  'res',
  'resource',
  'chrome',
  'chrome-extension',
  'moz-extension',
  'edge',
  'rdp',
  'steam',
]);

/** These open parts of the operating system, editors and stores. */
const isForbidden = (scheme: string): boolean =>
  forbidden.has(scheme) || /^(?:ms-|x-apple|vscode|itms|cursor)/.test(scheme);

// eslint-disable-next-line no-control-regex -- browsers ignore these inside a scheme, so none may pass
const unsafeCharacters = /[\u0000-\u0020\u007f-\u009f\u00a0\u2028\u2029\\"'<>`]/u;

const schemeOf = (text: string): string | undefined =>
  /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase();

/** The scheme of an app, `myefb`, also written `myefb:` or `myefb://`; null when it is none that an app may have. */
export const appSchemeOf = (given: string): string | null => {
  const scheme = given
    .trim()
    .toLowerCase()
    .replace(/:(?:\/\/)?$/, '');
  return /^[a-z][a-z0-9+.-]{1,40}$/.test(scheme) && !isForbidden(scheme) ? scheme : null;
};

/** A name below a domain: no address, and none of the caller's own network. */
const publicName = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z](?:[a-z0-9-]*[a-z0-9])$/;

/** The normalised entry; null when it is neither a host nor the scheme of an app. */
export const returnUrlEntry = (given: string): string | null => {
  const text = given.trim().toLowerCase();
  if (text.length > 253 || unsafeCharacters.test(text)) return null;
  if (text.endsWith(':')) {
    const scheme = schemeOf(text);
    return scheme !== undefined && text === `${scheme}:` && !isForbidden(scheme) ? text : null;
  }
  if (/[:/?#@*]/.test(text) || !URL.canParse(`https://${text}`)) return null;
  // The parser converts an international name to the form that browsers compare.
  const { hostname } = new URL(`https://${text}`);
  return publicName.test(hostname) ? hostname : null;
};

/**
 * The URL itself, or null when it is not allowed as a target. `allowed`: the entries of the developer key; when no scheme
 * is among them, every app is allowed.
 */
export const safeReturnUrl = (text: string, allowed: readonly string[]): string | null => {
  if (text.length > maxReturnUrlLength || unsafeCharacters.test(text)) return null;
  const scheme = schemeOf(text);
  if (scheme === undefined || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.protocol !== `${scheme}:` || url.username !== '' || url.password !== '') return null;
  if (scheme !== 'https') {
    const schemes = allowed.filter((entry) => entry.endsWith(':'));
    const isAllowed = schemes.length === 0 || schemes.includes(`${scheme}:`);
    return isAllowed && !isForbidden(scheme) ? text : null;
  }
  // Browsers interpret `https:example` differently.
  return /^https:\/\/[^/]/i.test(text) && allowed.includes(url.hostname) ? text : null;
};

/** A link that opens an app, `myefb://briefing`, and can do nothing else. */
export const isAppUrl = (text: string): boolean => {
  const scheme = schemeOf(text);
  return scheme !== undefined && !isForbidden(scheme) && !unsafeCharacters.test(text) && URL.canParse(text);
};
