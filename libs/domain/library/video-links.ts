/**
 * Links to public video sites (M-4.4.q2b). Nothing is fetched: a link is compared with this list and rebuilt from its
 * parts.
 */
interface VideoSite {
  /** Hosts of watch pages. */
  hosts: readonly string[];
  /** The video id in path or query of a watch page; null for other pages. */
  idOf: (url: URL) => string | null;
  id: RegExp;
  watchPage: (id: string) => string;
  shortHost: string | null;
}

const firstAfter = (prefix: string, { pathname }: URL): string | null =>
  pathname.startsWith(prefix) ? pathname.slice(prefix.length).replace(/\/$/, '') : null;

const sites: readonly VideoSite[] = [
  {
    hosts: ['www.youtube.com', 'youtube.com', 'm.youtube.com'],
    idOf: (url) => (/^\/watch\/?$/.test(url.pathname) ? url.searchParams.get('v') : null),
    id: /^[\w-]{11}$/,
    watchPage: (id) => `https://www.youtube.com/watch?v=${id}`,
    shortHost: 'youtu.be',
  },
  {
    hosts: ['vimeo.com', 'www.vimeo.com'],
    idOf: (url) => firstAfter('/', url),
    id: /^\d{1,12}$/,
    watchPage: (id) => `https://vimeo.com/${id}`,
    shortHost: null,
  },
  {
    hosts: ['www.dailymotion.com', 'dailymotion.com'],
    idOf: (url) => firstAfter('/video/', url),
    id: /^x[\da-z]{1,11}$/,
    watchPage: (id) => `https://www.dailymotion.com/video/${id}`,
    shortHost: 'dai.ly',
  },
];

export interface VideoLink {
  /** The watch page or short link, as given but without extra parameters. */
  url: string;
  id: string;
}

const maxLength = 2_048;
/** Stricter than URL parsers, which drop blanks and read a backslash as a slash. */
const plain = /^https?:\/\/[a-z.]+[/?][!-[\]-~]*$/i;

/** The link without extra parameters; null unless it is a video on a known site. */
export const videoLink = (text: string): VideoLink | null => {
  if (text.length > maxLength || !plain.test(text)) return null;
  const url = URL.parse(text);
  if (!url || url.username !== '' || url.password !== '' || url.port !== '') return null;
  for (const { hosts, shortHost, idOf, id, watchPage } of sites) {
    const isShort = url.hostname === shortHost;
    if (!isShort && !hosts.includes(url.hostname)) continue;
    const found = isShort ? firstAfter('/', url) : idOf(url);
    if (found === null || !id.test(found)) return null;
    return { url: isShort ? `https://${shortHost}/${found}` : watchPage(found), id: found };
  }
  return null;
};

export const defaultVideoTitle = ({ id }: VideoLink): string => `Video ${id}`;
