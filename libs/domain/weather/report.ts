import type {
  CloudGroup,
  DayHour,
  Group,
  ReportKind,
  RunwayStateGroup,
  RvrGroup,
  Token,
  VisibilityGroup,
  WeatherGroup,
  WindGroup,
} from './groups.ts';
import { tokenize } from './tokenizer.ts';

const hpaPerInhg = 33.8639;

/**
 * Altimeter setting in inches of mercury converted to whole hPa, rounded down as required for QNH: 29.92 gives 1013,
 * 29.79 gives 1008, 30.01 gives 1016.
 */
export const hpaFromInHg = (inHg: number): number => Math.floor(inHg * hpaPerInhg);

/** QNH in hPa converted to inches of mercury, to the nearest hundredth. */
export const inHgFromHpa = (hpa: number): number => Math.round((hpa / hpaPerInhg) * 100) / 100;

/** Wind, visibility, weather and clouds of one section of a report. */
export interface Conditions {
  wind: WindGroup | null;
  windVariation: { fromDeg: number; toDeg: number } | null;
  visibility: VisibilityGroup | null;
  directionalVisibility: VisibilityGroup[];
  cavok: boolean;
  rvr: RvrGroup[];
  weather: WeatherGroup[];
  noSignificantWeather: boolean;
  clouds: CloudGroup[];
  /** SKC, CLR, NSC or NCD. */
  noCloud: string | null;
  /** Vertical visibility is printed, with or without a value (`VV///`). */
  isSkyObscured: boolean;
  verticalVisibilityFt: number | null;
}

/** One trend of a METAR or one change group of a TAF. */
export interface Change {
  change: 'NOSIG' | 'TEMPO' | 'BECMG' | 'INTER' | 'PROB' | 'FM';
  probability: number | null;
  from: DayHour | null;
  to: DayHour | null;
  at: DayHour | null;
  conditions: Conditions;
  tokens: Token[];
}

/** A decoded report. Values not printed or not readable are null. */
export interface Report {
  kind: ReportKind;
  text: string;
  tokens: Token[];
  typeWord: 'METAR' | 'SPECI' | 'TAF' | null;
  icao: string | null;
  time: { day: number; hour: number; minute: number } | null;
  validity: { from: DayHour; to: DayHour } | null;
  automatic: boolean;
  corrected: boolean;
  amended: boolean;
  /** NIL replaces the report; after reported groups the word has no effect. */
  nil: boolean;
  cancelled: boolean;
  main: Conditions;
  temperatureC: number | null;
  dewpointC: number | null;
  /** The printed Q group, else the A group in whole hPa rounded down; null when there is neither. */
  qnhHpa: number | null;
  /** Value of the A group, hundredths of inches of mercury. */
  altimeterInHg100: number | null;
  recentWeather: WeatherGroup[];
  /** Present weather is not observed: `//` in its place, or PWINO in the remarks. */
  isWeatherMissing: boolean;
  runwayStates: RunwayStateGroup[];
  changes: Change[];
  remarks: string | null;
  undecoded: string[];
}

/** Reads a METAR, SPECI or TAF. Never throws; a text that is not a report yields nulls and undecoded words. */
export const readReport = (text: string, kind: ReportKind): Report => {
  const tokens = tokenize(text, kind);
  const groups = tokens.filter((t) => !t.continued);
  const firstOf = <K extends Group['kind']>(k: K): Extract<Group, { kind: K }> | null => {
    const found = groups.find((t) => t.group.kind === k && t.section !== 'change');
    return found ? (found.group as Extract<Group, { kind: K }>) : null;
  };
  const modifiers = new Set(groups.map((t) => (t.group.kind === 'modifier' ? t.group.word : '')));
  const time = firstOf('time');
  const validity = firstOf('validity');
  const temperature = firstOf('temperature');
  const pressures = groups.flatMap((t) =>
    t.group.kind === 'pressure' && t.group.value !== null ? [t.group] : [],
  );
  const hpa = pressures.find((p) => p.unit === 'hPa')?.value ?? null;
  const inHg = pressures.find((p) => p.unit === 'inHg')?.value ?? null;
  const remarks = tokens.filter((t) => t.section === 'remarks' && t.group.kind === 'remark');
  return {
    kind,
    text,
    tokens,
    typeWord: firstOf('type')?.word ?? null,
    icao: firstOf('station')?.icao ?? null,
    time: time ? { day: time.day, hour: time.hour, minute: time.minute } : null,
    validity: validity ? { from: validity.from, to: validity.to } : null,
    automatic: modifiers.has('AUTO'),
    corrected: modifiers.has('COR'),
    amended: modifiers.has('AMD'),
    nil: groups.some(
      ({ section, group }) => section === 'header' && group.kind === 'modifier' && group.word === 'NIL',
    ),
    cancelled: modifiers.has('CNL'),
    main: readConditions(groups.filter((t) => t.section === 'header' || t.section === 'body')),
    temperatureC: temperature?.temperatureC ?? null,
    dewpointC: temperature?.dewpointC ?? null,
    qnhHpa: hpa ?? (inHg === null ? null : hpaFromInHg(inHg / 100)),
    altimeterInHg100: inHg,
    recentWeather: groups.flatMap((t) => (t.group.kind === 'recentWeather' ? [t.group.weather] : [])),
    isWeatherMissing:
      groups.some((t) => t.section === 'body' && t.group.kind === 'missing' && t.text.trim() === '//') ||
      remarks.some((t) => /\bPWINO\b/.test(t.text)),
    runwayStates: groups.flatMap((t) => (t.group.kind === 'runwayState' ? [t.group] : [])),
    changes: readChanges(groups),
    remarks: remarks.length > 0 ? remarks.map((t) => t.text.trim()).join(' ') : null,
    undecoded: tokens
      .filter(({ group }) => group.kind === 'unknown' || group.kind === 'unreadPeriod')
      .map((t) => t.text.trim()),
  };
};

/** Conditions in the tokens of one section. */
const readConditions = (tokens: readonly Token[]): Conditions => {
  const c: Conditions = {
    wind: null,
    windVariation: null,
    visibility: null,
    directionalVisibility: [],
    cavok: false,
    rvr: [],
    weather: [],
    noSignificantWeather: false,
    clouds: [],
    noCloud: null,
    isSkyObscured: false,
    verticalVisibilityFt: null,
  };
  for (const { group } of tokens) {
    if (group.kind === 'wind') c.wind ??= group;
    else if (group.kind === 'windVariation')
      c.windVariation ??= { fromDeg: group.fromDeg, toDeg: group.toDeg };
    else if (group.kind === 'visibility') {
      if (group.direction !== null) c.directionalVisibility.push(group);
      else if (c.visibility === null || c.visibility.metres === null) c.visibility = group;
    } else if (group.kind === 'cavok') c.cavok = true;
    else if (group.kind === 'rvr') c.rvr.push(group);
    else if (group.kind === 'weather') c.weather.push(group);
    else if (group.kind === 'noSignificantWeather') c.noSignificantWeather = true;
    else if (group.kind === 'cloud') c.clouds.push(group);
    else if (group.kind === 'noCloud') c.noCloud ??= group.word;
    else if (group.kind === 'verticalVisibility') {
      c.isSkyObscured = true;
      c.verticalVisibilityFt ??= group.feet;
    }
  }
  // Some stations print the prevailing visibility as `3000E` alone.
  if (c.visibility === null && !c.cavok) c.visibility = c.directionalVisibility.shift() ?? null;
  return c;
};

const readChanges = (groups: readonly Token[]): Change[] => {
  const changes: Change[] = [];
  let current: Change | null = null;
  const conditions = readConditions([]);
  for (const token of groups) {
    if (token.section !== 'change') continue;
    const { group } = token;
    if (group.kind === 'change' || group.kind === 'nosig') {
      const change = group.kind === 'nosig' ? 'NOSIG' : group.change;
      const probability = group.kind === 'nosig' ? null : group.probability;
      const from = group.kind === 'nosig' ? null : group.from;
      current = { change, probability, from, to: null, at: null, conditions, tokens: [] };
      changes.push(current);
    } else if (current && group.kind === 'validity') {
      current.from = group.from;
      current.to = group.to;
    } else if (current && group.kind === 'changeTime') {
      const time: DayHour = { day: null, hour: group.hour, minute: group.minute };
      if (group.which === 'FM') current.from = time;
      else if (group.which === 'TL') current.to = time;
      else current.at = time;
    } else current?.tokens.push(token);
  }
  for (const change of changes) change.conditions = readConditions(change.tokens);
  return changes;
};
