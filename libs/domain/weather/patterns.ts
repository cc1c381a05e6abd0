import { metresPerFoot } from '../users/units.ts';
import type { CloudGroup, Group, VisibilityGroup, WeatherGroup, WindGroup } from './groups.ts';
import { readRunwayState } from './runway-state.ts';

const ktPerMps = 1.943844;
const ktPerKmh = 0.539957;
const metresPerStatuteMile = 1609.344;

const windPattern = /^(\d{3}|VRB|\/\/\/)(P?)(\d{2,3}|\/\/)(?:G(P?)(\d{2,3}|\/\/))?(KTS?|MPS|KMH)$/;
const visibilityMPattern = /^([PM]?)(\d{4})(?:M|NDV)?(?:\/\d{4})?$/;
const visibilityDirectionPattern = /^(\d{4})(N|NE|E|SE|S|SW|W|NW)$/;
const visibilityKmPattern = /^(\d{1,2})KM$/;
const visibilitySmPattern = /^([PM]?)(\d{1,3})SM$/;
const visibilityFractionSmPattern = /^([PM]?)(\d{1,2})\/(\d{1,2})SM$/;
const rvrPattern =
  /^R((?:0[1-9]|[12]\d|3[0-6])[LCR]{0,2})\/([PM]?)(\d{4})(?:V([PM]?)(\d{4}))?(FT|M)?\/?([UDN])?$/;
const rvrMissingPattern = /^R(\d{2}[LCR]{0,2})\/\/{2,4}$/;
const weatherPattern =
  /^([+-]?VC|\+|-)?(MI|BC|PR|DR|BL|SH|TS|FZ)?((?:DZ|RA|SN|SG|IC|PL|GR|GS|UP|BR|FG|FU|VA|DU|SA|HZ|PY|PO|SQ|FC|SS|DS)*)$/;
const cloudPattern = /^(FEW|SCT|BKN|OVC|\/\/\/)(\d{3}|\/\/\/)?(CB|TCU|CU|SC|ST|NS|AS|AC|CI|CC|CS|\/\/\/)?$/;
const temperaturePattern = /^(M|-)?(\d{1,2})\/(?:(M|-)?(\d{1,2})|\/{1,2}|XX|MM)?$/;
const dewpointOnlyPattern = /^(?:\/\/|XX|MM)\/(?:(M|-)?(\d{1,2})|XX|MM)$/;
/** With the lowest and highest values at sea level; others are typing errors. */
const pressures = [
  { pattern: /^(?:Q|QNH)(\d{4})(?:HPA)?$/, unit: 'hPa', low: 850, high: 1085 },
  { pattern: /^(?:A|QNH(?=\d{4}INS))(\d{4})(?:INS)?$/, unit: 'inHg', low: 2510, high: 3204 },
] as const;
const colourPattern =
  /^(?:BLACK|(?:BLACK)?(?:BLU|WHT|GRN|YLO[12]?|AMB|RED)\+?)(?:\/?(?:BLU|WHT|GRN|YLO[12]?|AMB|RED))?$/;

/** `1612/1718` (days and hours) or `0755/0930` (hours and minutes): a validity period, never a visibility. */
const isPeriod = (text: string): boolean =>
  /^(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-4])\/(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-4])$/.test(text) ||
  /^(?:[01]\d|2[0-4])[0-5]\d\/(?:[01]\d|2[0-4])[0-5]\d$/.test(text);

/** Reads a wind group, or returns null. Knots are not rounded. */
export const readWind = (text: string): WindGroup | null => {
  const m = windPattern.exec(text);
  if (!m) return null;
  const [, direction = '', above = '', speed = '', gustAbove = '', gust, unit] = m;
  const factor = unit === 'MPS' ? ktPerMps : unit === 'KMH' ? ktPerKmh : 1;
  const printed = (digits: string | undefined): number | null =>
    digits === undefined || digits === '//' ? null : Number(digits);
  const directionDeg = /^\d/.test(direction) ? Number(direction) : null;
  const [printedSpeed, printedGust] = [printed(speed), printed(gust)];
  // Higher values are typing errors.
  if ((directionDeg ?? 0) > 360 || (printedSpeed ?? 0) >= 150 || (printedGust ?? 0) >= 200) return null;
  const speedKt = printedSpeed === null ? null : printedSpeed * factor;
  const gustKt = printedGust === null ? null : printedGust * factor;
  return {
    kind: 'wind',
    directionDeg,
    variable: direction === 'VRB',
    speedKt,
    gustKt,
    isGustMissing: gust === '//',
    above: above + gustAbove !== '',
  };
};

type Bound = 'above' | 'below' | null;
const boundOf = (prefix: string | undefined): Bound =>
  prefix === 'P' ? 'above' : prefix === 'M' ? 'below' : null;

export const visibilityOf = (
  metres: number | null,
  bound: Bound = metres === 9999 ? 'above' : null,
  direction: string | null = null,
): VisibilityGroup => ({ kind: 'visibility', metres, statuteMiles: null, bound, direction });

/** A visibility in statute miles, converted to whole metres. */
const milesVisibility = (miles: number, prefix: string | undefined): VisibilityGroup => ({
  ...visibilityOf(Math.round(miles * metresPerStatuteMile), boundOf(prefix)),
  statuteMiles: miles,
});

/** `1/2SM` is a half; `11/2SM` is 1 1/2 with a missing blank. Null when the text is no fraction of miles. */
const readFractionSM = (text: string): { prefix: string; miles: number } | null => {
  const m = visibilityFractionSmPattern.exec(text);
  if (!m) return null;
  const [, prefix = '', numerator = '', divisor = ''] = m;
  const denominator = Number(divisor);
  if (denominator === 0) return null;
  if (numerator.length === 2 && Number(numerator) > denominator) {
    return { prefix, miles: Number(numerator[0]) + Number(numerator[1]) / denominator };
  }
  return { prefix, miles: Number(numerator) / denominator };
};

/** `1 1/2SM`, `10 SM`, `1 / 4SM`, `2 3/4 SM`: statute miles in several words. */
export const readSpacedMiles = (
  cores: readonly string[],
  i: number,
): { group: VisibilityGroup; words: number } | null => {
  for (let words = 2; words <= 5; words += 1) {
    const text = cores.slice(i, i + words).join(' ');
    const whole = /^([PM]?)(\d{1,3}) SM$/.exec(text);
    if (whole) return { group: milesVisibility(Number(whole[2]), whole[1]), words };
    const parts = /^([PM]?)(?:(\d{1,2}) )?(\d{1,2}) ?\/ ?(\d{1,2}) ?SM$/.exec(text);
    const fraction = parts && readFractionSM(`${parts[3]}/${parts[4]}SM`);
    if (fraction && (parts[2] === undefined || fraction.miles < 1))
      return { group: milesVisibility(Number(parts[2] ?? 0) + fraction.miles, parts[1]), words };
  }
  return null;
};

const readVisibility = (text: string): VisibilityGroup | null => {
  const metres = visibilityMPattern.exec(text);
  if (metres && !isPeriod(text))
    return visibilityOf(Number(metres[2]), metres[1] ? boundOf(metres[1]) : undefined);
  const directional = visibilityDirectionPattern.exec(text);
  if (directional) return visibilityOf(Number(directional[1]), undefined, directional[2]);
  const miles = visibilitySmPattern.exec(text);
  if (miles) return milesVisibility(Number(miles[2]), miles[1]);
  const fraction = readFractionSM(text);
  if (fraction) return milesVisibility(fraction.miles, fraction.prefix);
  const km = visibilityKmPattern.exec(text);
  if (km) return visibilityOf(Math.min(Number(km[1]) * 1000, 9999));
  return text === '////' || text === '////SM' || text === '////NDV' ? visibilityOf(null) : null;
};

/** A weather group (`+TSRA`, `VCSH`, `RA/DZ`), or null. */
const readWeather = (text: string): WeatherGroup | null => {
  const parts = text.split('/');
  if (parts.length > 1 && parts.length < 4) {
    const groups = parts.map(readWeather);
    if (groups.some((g) => g === null)) return null;
    const marked = groups.find((g) => g?.intensity) ?? groups[0];
    return marked ? { ...marked, code: text, phenomena: groups.flatMap((g) => g?.phenomena ?? []) } : null;
  }
  const m = weatherPattern.exec(text);
  if (!m) return null;
  const [, prefix = '', descriptor = '', tail = ''] = m;
  if (tail === '' && descriptor !== 'TS' && descriptor !== 'SH') return null;
  const intensity = (prefix.endsWith('VC') ? 'VC' : prefix) as WeatherGroup['intensity'];
  return { kind: 'weather', code: text, intensity, descriptor, phenomena: tail.match(/../g) ?? [] };
};

const readCloud = (text: string): Group | null => {
  const m = cloudPattern.exec(text);
  if (!m) return null;
  const [, amount, base, type] = m;
  if (amount === '///' && base === undefined && type === undefined) return null;
  if (amount === '///' && (base ?? '///') === '///' && (type ?? '///') === '///') return { kind: 'missing' };
  const cloud: CloudGroup = {
    kind: 'cloud',
    amount: amount === '///' ? null : (amount ?? null),
    baseFt: base === undefined || base === '///' ? null : Number(base) * 100,
    type: type === undefined || type === '///' ? null : type,
  };
  return cloud;
};

const readRvr = (text: string): Group | null => {
  const m = rvrPattern.exec(text);
  if (m) {
    const factor = m[6] === 'FT' ? metresPerFoot : 1;
    const low = Math.round(Number(m[3]) * factor);
    const high = m[5] === undefined ? low : Math.round(Number(m[5]) * factor);
    const tendency = m[7] === 'U' || m[7] === 'D' || m[7] === 'N' ? m[7] : null;
    return { kind: 'rvr', runway: m[1] ?? '', minM: low, maxM: high, bound: boundOf(m[2] || m[4]), tendency };
  }
  return rvrMissingPattern.test(text) ? { kind: 'missing' } : null;
};

/** `M05` in degrees C; never minus zero. */
export const celsius = (sign: string | undefined, digits: string | undefined): number | null => {
  if (digits === undefined) return null;
  const n = Number(digits);
  return sign && n !== 0 ? -n : n;
};

const readTemperature = (text: string): Group | null => {
  const m = temperaturePattern.exec(text);
  if (m) return { kind: 'temperature', temperatureC: celsius(m[1], m[2]), dewpointC: celsius(m[3], m[4]) };
  const d = dewpointOnlyPattern.exec(text);
  if (d) return { kind: 'temperature', temperatureC: null, dewpointC: celsius(d[1], d[2]) };
  return null;
};

const readPressure = (text: string): Group | null => {
  for (const { pattern, unit, low, high } of pressures) {
    const value = Number(pattern.exec(text)?.[1]);
    if (value >= low && value <= high) return { kind: 'pressure', unit, value };
  }
  if (text === 'Q////' || text === 'A////' || text === 'QNH////') {
    return { kind: 'pressure', unit: text.startsWith('A') ? 'inHg' : 'hPa', value: null };
  }
  return null;
};

const noCloud = new Set(['SKC', 'CLR', 'NSC', 'NCD', 'NSC///', 'NCD///', 'CLR///']);

/** Classifies one word from the body or a change group of a report; `unknown` when no pattern matches. */
export const readGroup = (text: string): Group => {
  if (text === 'CAVOK') return { kind: 'cavok' };
  if (text === 'NSW') return { kind: 'noSignificantWeather' };
  if (noCloud.has(text)) return { kind: 'noCloud', word: text.slice(0, 3) };
  const variation = /^(\d{3})V(\d{3})$/.exec(text);
  if (variation) return { kind: 'windVariation', fromDeg: Number(variation[1]), toDeg: Number(variation[2]) };
  const found =
    readWind(text) ??
    readVisibility(text) ??
    readWeather(text) ??
    readCloud(text) ??
    readTemperature(text) ??
    readPressure(text) ??
    readRunwayState(text) ??
    readRvr(text);
  if (found) return found;
  const vertical = /^VV(\d{3}|\/\/\/)(?:CB|TCU)?$/.exec(text);
  if (vertical)
    return { kind: 'verticalVisibility', feet: vertical[1] === '///' ? null : Number(vertical[1]) * 100 };
  if (text.startsWith('RE')) {
    const weather = readWeather(text.slice(2));
    if (weather) return { kind: 'recentWeather', weather };
  }
  const sea = /^W(?:(M?)(\d{2})|\/\/)\/(?:S[\d/]|H\d{1,3}|H\/{1,3})$/.exec(text);
  if (sea) return { kind: 'seaState', seaTemperatureC: celsius(sea[1], sea[2]) };
  if (/^RF\d{1,2}\.\d\/\d{1,3}\.\d(?:\/\d{1,3}\.\d)?$/.test(text) || /^RF\/{2}\.\/.*$/.test(text)) {
    return { kind: 'rainfall' };
  }
  if (colourPattern.test(text)) return { kind: 'colour', state: text };
  // Slashes stand for a value that the station could not report; US stations print M instead.
  if (/^(?:RE|R\d{2}[LCR]?|R|Q|A|VV)?\/+(?:V\/+|KT|MPS)?$/.test(text) || text === 'M' || text === 'M/M') {
    return { kind: 'missing' };
  }
  return { kind: 'unknown' };
};
