/**
 * Where the web form may redirect after a password reset: to https hosts listed by the operator for the
 * developer key, and to apps, which the key may restrict. An entry is the host of https URLs (`efb.example`) or the
 * scheme of an app (`myefb:`).
 */
export const maxReturnUrlLength = 2_000;

/**
 * Never allowed, even if listed: schemes that run scripts, read local data, are unencrypted, call or write to someone,
 * or belong to the browser or operating system.
 */
const forbidden: ReadonlySet<string> = new Set(
  (
    'javascript data vbscript file blob about http https ws wss ftp view-source filesystem jar mailto intent content ' +
    'android-app tel sms facetime smb nfs sftp ftps ssh telnet ldap ldaps shell search-ms jnlp mhtml res resource ' +
    'chrome chrome-extension moz-extension edge rdp steam'
  ).split(' '),
);

/** Schemes that open parts of the operating system, editors and stores. */
const isForbidden = (scheme: string): boolean =>
  forbidden.has(scheme) || /^(?:ms-|x-apple|vscode|itms|cursor)/.test(scheme);

// eslint-disable-next-line no-control-regex -- browsers ignore these inside a scheme, so none may pass
const unsafeCharacters = /[\u0000-\u0020\u007f-\u009f\u00a0\u2028\u2029\\"'<>`]/u;

const schemeOf = (text: string): string | undefined =>
  /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase();

/** The scheme of an app, `myefb`, also written `myefb:` or `myefb://`; null if apps may not use it. */
export const appSchemeOf = (given: string): string | null => {
  const scheme = given
    .trim()
    .toLowerCase()
    .replace(/:(?:\/\/)?$/, '');
  return /^[a-z][a-z0-9+.-]{1,40}$/.test(scheme) && !isForbidden(scheme) ? scheme : null;
};

/** A public domain name: no address, and no name within the caller's network. */
const publicName = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z](?:[a-z0-9-]*[a-z0-9])$/;

/** The normalised entry; null if it is neither a host nor an app scheme. */
export const returnUrlEntry = (given: string): string | null => {
  const text = given.trim().toLowerCase();
  if (text.length > 253 || unsafeCharacters.test(text)) return null;
  if (text.endsWith(':')) {
    const scheme = schemeOf(text);
    return scheme !== undefined && text === `${scheme}:` && !isForbidden(scheme) ? text : null;
  }
  if (/[:/?#@*]/.test(text) || !URL.canParse(`https://${text}`)) return null;
  // The parser converts international names to the form that browsers compare.
  const { hostname } = new URL(`https://${text}`);
  return publicName.test(hostname) ? hostname : null;
};

/**
 * The URL, or null if it is no allowed target. `allowed`: entries of the developer key; without a scheme among them,
 * all apps are allowed.
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

/** True for a link that only opens an app, such as `myefb://briefing`. */
export const isAppUrl = (text: string): boolean => {
  const scheme = schemeOf(text);
  return scheme !== undefined && !isForbidden(scheme) && !unsafeCharacters.test(text) && URL.canParse(text);
};
