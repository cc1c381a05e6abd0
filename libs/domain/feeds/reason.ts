const longest = 160;

/** The file name at the end of an address. */
const nameOf = (address: string): string => /([\w.{}-]+\.[\w.{}-]+)$/.exec(address)?.[1] ?? 'the source';

/** A failure text for the public, without hosts, folders, addresses or accounts. */
export const publicReason = (error: string): string => {
  const text = error
    .slice(0, 1_000)
    .replace(/\b(?:https?|file):\/\/[^\s,;)"']+/g, (address) =>
      nameOf(address.replace(/[?#].*$|[.:]+$/, '').replace(/^\w+:\/\/[^/]*/, '')),
    )
    .replace(/(?<![\w.])(?:\/[\w.@-]+){2,}\/?/g, (path) => nameOf(path))
    .replace(
      /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b|\[?(?:[\da-f]{0,4}:){3,}[\da-f]{0,4}\]?(?::\d+)?/gi,
      'the source',
    )
    .replaceAll('. / ', '; ')
    .replace(/\b(?:user|role|database|password) "[^"]*"/g, 'the database');
  return text.length > longest ? `${text.slice(0, longest - 1).trimEnd()}…` : text;
};
