import type {
  CloudGroup,
  RunwayStateGroup,
  RvrGroup,
  VisibilityGroup,
  WeatherGroup,
  WindGroup,
} from './groups.ts';
import type { Conditions } from './report.ts';

const descriptorWords: Readonly<Record<string, string>> = {
  MI: 'shallow',
  BC: 'patches of',
  PR: 'partial',
  DR: 'low drifting',
  BL: 'blowing',
  SH: 'showers of',
  TS: 'thunderstorm with',
  FZ: 'freezing',
};

const phenomenonWords: Readonly<Record<string, string>> = {
  DZ: 'drizzle',
  RA: 'rain',
  SN: 'snow',
  SG: 'snow grains',
  IC: 'ice crystals',
  PL: 'ice pellets',
  GR: 'hail',
  GS: 'small hail',
  UP: 'unknown precipitation',
  BR: 'mist',
  FG: 'fog',
  FU: 'smoke',
  VA: 'volcanic ash',
  DU: 'widespread dust',
  SA: 'sand',
  HZ: 'haze',
  PY: 'spray',
  PO: 'dust or sand whirls',
  SQ: 'squalls',
  FC: 'funnel cloud',
  SS: 'sandstorm',
  DS: 'duststorm',
};

const amountWords: Readonly<Record<string, string>> = {
  FEW: 'few',
  SCT: 'scattered',
  BKN: 'broken',
  OVC: 'overcast',
};
const cloudTypeWords: Readonly<Record<string, string>> = { CB: 'cumulonimbus', TCU: 'towering cumulus' };
const noCloud: Readonly<Record<string, string>> = {
  SKC: 'sky clear',
  CLR: 'no clouds detected below 12,000 ft',
  NSC: 'no significant cloud',
  NCD: 'no cloud detected',
};
const depositWords = [
  'clear and dry',
  'damp',
  'wet or water patches',
  'rime or frost',
  'dry snow',
  'wet snow',
  'slush',
  'ice',
  'compacted or rolled snow',
  'frozen ruts or ridges',
];
const coverageWords: Readonly<Record<number, string>> = {
  0: 'none',
  1: '10 % or less',
  2: '11 to 25 %',
  5: '26 to 50 %',
  9: '51 to 100 %',
};
const brakingWords: Readonly<Record<number, string>> = {
  91: 'poor',
  92: 'medium to poor',
  93: 'medium',
  94: 'medium to good',
  95: 'good',
  99: 'unreliable',
};

/** `240 degrees true at 12 kt, gusts 25 kt`. */
export const windPhrase = (wind: WindGroup): string => {
  if (wind.directionDeg === 0 && wind.speedKt === 0 && !wind.gustKt) return 'calm';
  const direction = wind.variable
    ? 'variable'
    : wind.directionDeg === null
      ? 'direction not reported,'
      : `${String(wind.directionDeg).padStart(3, '0')} degrees true`;
  const speed = wind.speedKt === null ? 'speed not reported' : `at ${Math.round(wind.speedKt)} kt`;
  const gusts = wind.isGustMissing
    ? ', gusts not reported'
    : wind.gustKt === null
      ? ''
      : `, gusts ${Math.round(wind.gustKt)} kt`;
  return `${direction} ${speed}${gusts}${wind.above ? ' or more' : ''}`;
};

const boundWords = (bound: 'above' | 'below' | null): string =>
  bound === 'above' ? 'more than ' : bound === 'below' ? 'less than ' : '';

/** Metres or kilometres; statute miles as printed, followed by the metres. */
const visibilityPhrase = (visibility: VisibilityGroup): string => {
  if (visibility.metres === null) return 'not reported';
  const bound = boundWords(visibility.bound);
  const direction = visibility.direction === null ? '' : ` to the ${visibility.direction}`;
  if (visibility.statuteMiles !== null)
    return `${bound}${visibility.statuteMiles} SM (${visibility.metres} m)`;
  return visibility.metres === 9999
    ? `10 km or more${direction}`
    : `${bound}${visibility.metres} m${direction}`;
};

const rvrPhrase = (rvr: RvrGroup): string => {
  const range = rvr.maxM === rvr.minM ? `${rvr.minM} m` : `${rvr.minM} to ${rvr.maxM} m`;
  const tendency = { U: ', improving', D: ', getting worse', N: ', no change' };
  return `runway ${rvr.runway} ${boundWords(rvr.bound)}${range}${rvr.tendency ? tendency[rvr.tendency] : ''}`;
};

/** `light showers of rain`, `thunderstorm in the vicinity`. */
export const weatherPhrase = (weather: WeatherGroup): string => {
  const { intensity, descriptor, phenomena } = weather;
  const what = phenomena.map((p) => phenomenonWords[p] ?? p).join(' and ');
  const strength = intensity === '-' ? 'light ' : intensity === '+' ? 'heavy ' : '';
  const place = intensity === 'VC' ? ' in the vicinity' : '';
  if (what === '') return `${strength}${descriptor === 'TS' ? 'thunderstorm' : 'showers'}${place}`;
  // The intensity sign of a thunderstorm describes its precipitation.
  if (descriptor === 'TS') return `thunderstorm with ${strength}${what}${place}`;
  return `${strength}${descriptor ? `${descriptorWords[descriptor] ?? descriptor} ` : ''}${what}${place}`;
};

const cloudPhrase = (cloud: CloudGroup): string => {
  const amount = cloud.amount === null ? 'amount not reported' : (amountWords[cloud.amount] ?? cloud.amount);
  const base = cloud.baseFt === null ? 'height not reported' : `${cloud.baseFt} ft`;
  return `${amount} at ${base}${cloud.type ? ` ${cloudTypeWords[cloud.type] ?? cloud.type}` : ''}`.replace(
    'at height',
    'height',
  );
};

export const runwayStatePhrase = (state: RunwayStateGroup): string => {
  const where =
    state.runway === null
      ? 'aerodrome'
      : state.runway === 'ALL'
        ? 'all runways'
        : state.runway === 'LAST'
          ? 'as last reported'
          : `runway ${state.runway}`;
  const parts: string[] = [];
  if (state.closed) parts.push('closed by snow or not operational');
  if (state.cleared) parts.push('cleared of contamination');
  if (state.deposit !== null) parts.push(depositWords[state.deposit] ?? `deposit ${state.deposit}`);
  if (state.coverage !== null) parts.push(`coverage ${coverageWords[state.coverage] ?? state.coverage}`);
  if (state.depthMm !== null)
    parts.push(state.depthMm === 0 ? 'depth below 1 mm' : `depth ${state.depthMm} mm`);
  if (state.braking !== null) parts.push(brakingPhrase(state.braking));
  return `${where}: ${parts.length > 0 ? parts.join(', ') : 'not reported'}`;
};

const brakingPhrase = (code: number): string => {
  const action = brakingWords[code];
  return action ? `braking action ${action}` : `friction coefficient ${(code / 100).toFixed(2)}`;
};

/** Labelled lines for the conditions in one section, in the fixed order of the decoded text. */
export const conditionLines = (c: Conditions): string[] => {
  const lines: string[] = [];
  if (c.wind) {
    const v = c.windVariation;
    const varying = v ? `, varying between ${degrees(v.fromDeg)} and ${degrees(v.toDeg)}` : '';
    lines.push(`Wind: ${windPhrase(c.wind)}${varying}`);
  }
  if (c.cavok)
    lines.push('Ceiling and visibility: OK: 10 km or more, no cloud below 5,000 ft, no significant weather');
  const seen = [c.visibility, ...c.directionalVisibility].flatMap((v) => (v ? [visibilityPhrase(v)] : []));
  if (seen.length > 0) lines.push(`Visibility: ${seen.join(', ')}`);
  if (c.rvr.length > 0) lines.push(`Runway visual range: ${c.rvr.map(rvrPhrase).join('; ')}`);
  if (c.weather.length > 0) lines.push(`Weather: ${c.weather.map(weatherPhrase).join(', ')}`);
  if (c.noSignificantWeather) lines.push('Weather: no significant weather');
  const clouds = c.clouds.map(cloudPhrase);
  if (c.noCloud) clouds.push(noCloud[c.noCloud] ?? c.noCloud);
  if (c.verticalVisibilityFt !== null)
    clouds.push(`sky obscured, vertical visibility ${c.verticalVisibilityFt} ft`);
  if (clouds.length > 0) lines.push(`Clouds: ${clouds.join(', ')}`);
  return lines;
};

const degrees = (deg: number): string => String(deg).padStart(3, '0');
