/** Times of the wallet gateway: `20:12:59 Jan 13, 2009 PST`. */

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** Hours east of Greenwich. */
const zones: Readonly<Record<string, number>> = { PST: -8, PDT: -7, GMT: 0, UTC: 0 };

const isoTime = (text: string): Date | null => {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(text)) return null;
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? null : at;
};

/** Also RFC 3339; null for anything else. */
export const walletTime = (text: string | null): Date | null => {
  const found = /^(\d\d):(\d\d):(\d\d) (\w{3})\.? (\d{1,2}), (\d{4}) (\w{3})$/.exec(text ?? '');
  if (!found) return isoTime(text ?? '');
  const [, hour, minute, second, name = '', day, year, zone = ''] = found;
  const month = months.indexOf(name);
  const offset = zones[zone];
  if (month < 0 || offset === undefined) return null;
  const time = [Number(hour) - offset, Number(minute), Number(second)] as const;
  const at = new Date(Date.UTC(Number(year), month, Number(day), ...time));
  return Number.isNaN(at.getTime()) ? null : at;
};
