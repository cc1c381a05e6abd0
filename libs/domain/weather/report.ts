import type { DayHour, Group, ReportKind, Token } from './groups.ts';
import { tokenize } from './tokenizer.ts';

const hpaPerInhg = 33.8639;

/**
 * Altimeter setting in inches of mercury converted to whole hPa, rounded down as required for QNH: 29.92 gives 1013,
 * 29.79 gives 1008, 30.01 gives 1016.
 */
export const hpaFromInHg = (inHg: number): number => Math.floor(inHg * hpaPerInhg);

/** QNH in hPa converted to inches of mercury, to the nearest hundredth. */
export const inHgFromHpa = (hpa: number): number => Math.round((hpa / hpaPerInhg) * 100) / 100;

export type Conditions = ReturnType<typeof readConditions>;
export type Report = ReturnType<typeof readReport>;

/** One trend of a METAR or one change group of a TAF. */
export interface Change extends Omit<GroupOf<'change'>, 'kind'> {
  to: DayHour | null;
  at: DayHour | null;
  conditions: Conditions;
  tokens: Token[];
}

type GroupOf<Kind extends Group['kind']> = Extract<Group, { kind: Kind }>;

/** The groups of one kind, in the order of the report. */
export const groupsOf = <Kind extends Group['kind']>(tokens: readonly Token[], kind: Kind): GroupOf<Kind>[] =>
  tokens.flatMap(({ group }) => (group.kind === kind ? [group as GroupOf<Kind>] : []));

/**
 * Reads a METAR, SPECI or TAF; values not printed or not readable are null. Never throws; a text that is not a report
 * yields nulls and undecoded words.
 */
export const readReport = (text: string, kind: ReportKind) => {
  const tokens = tokenize(text, kind);
  const groups = tokens.filter((t) => !t.continued);
  const unchanged = groups.filter(({ section }) => section !== 'change');
  const firstOf = <Kind extends Group['kind']>(name: Kind) => groupsOf(unchanged, name)[0] ?? null;
  const modifiers = new Set(groupsOf(groups, 'modifier').map(({ word }) => word));
  const time = firstOf('time');
  const validity = firstOf('validity');
  const temperature = firstOf('temperature');
  const pressures = groupsOf(groups, 'pressure').filter(({ value }) => value !== null);
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
    /** NIL replaces the report; after reported groups the word has no effect. */
    nil: groupsOf(
      groups.filter(({ section }) => section === 'header'),
      'modifier',
    ).some(({ word }) => word === 'NIL'),
    cancelled: modifiers.has('CNL'),
    main: readConditions(groups.filter((t) => t.section === 'header' || t.section === 'body')),
    temperatureC: temperature?.temperatureC ?? null,
    dewpointC: temperature?.dewpointC ?? null,
    /** The printed Q group, else the A group in whole hPa rounded down; null when there is neither. */
    qnhHpa: hpa ?? (inHg === null ? null : hpaFromInHg(inHg / 100)),
    /** Value of the A group, hundredths of inches of mercury. */
    altimeterInHg100: inHg,
    recentWeather: groupsOf(groups, 'recentWeather').map(({ weather }) => weather),
    /** Present weather is not observed: `//` in its place, or PWINO in the remarks. */
    isWeatherMissing:
      groups.some((t) => t.section === 'body' && t.group.kind === 'missing' && t.text.trim() === '//') ||
      remarks.some((t) => /\bPWINO\b/.test(t.text)),
    runwayStates: groupsOf(groups, 'runwayState'),
    changes: readChanges(groups),
    remarks: remarks.length > 0 ? remarks.map((t) => t.text.trim()).join(' ') : null,
    undecoded: tokens
      .filter(({ group }) => group.kind === 'unknown' || group.kind === 'unreadPeriod')
      .map((t) => t.text.trim()),
  };
};

/** Wind, visibility, weather and clouds in the tokens of one section of a report. */
const readConditions = (tokens: readonly Token[]) => {
  const of = <Kind extends Group['kind']>(kind: Kind) => groupsOf(tokens, kind);
  const [variation] = of('windVariation');
  const cavok = of('cavok').length > 0;
  const visibilities = of('visibility');
  const directionalVisibility = visibilities.filter(({ direction }) => direction !== null);
  const prevailing = visibilities.filter(({ direction }) => direction === null);
  const printed = prevailing.find(({ metres }) => metres !== null) ?? prevailing.at(-1);
  // Some stations print the prevailing visibility as `3000E` alone.
  const visibility = printed ?? (cavok ? null : (directionalVisibility.shift() ?? null));
  const vertical = of('verticalVisibility');
  return {
    wind: of('wind')[0] ?? null,
    windVariation: variation ? { fromDeg: variation.fromDeg, toDeg: variation.toDeg } : null,
    visibility,
    directionalVisibility,
    cavok,
    rvr: of('rvr'),
    weather: of('weather'),
    noSignificantWeather: of('noSignificantWeather').length > 0,
    clouds: of('cloud'),
    /** SKC, CLR, NSC or NCD. */
    noCloud: of('noCloud')[0]?.word ?? null,
    /** Vertical visibility is printed, with or without a value (`VV///`). */
    isSkyObscured: vertical.length > 0,
    verticalVisibilityFt: vertical.find(({ feet }) => feet !== null)?.feet ?? null,
  };
};

const readChanges = (groups: readonly Token[]): Change[] => {
  const changes: Change[] = [];
  for (const token of groups) {
    if (token.section !== 'change') continue;
    const { group } = token;
    const current = changes.at(-1);
    if (group.kind === 'change') {
      const { change, probability, from } = group;
      const conditions = readConditions([]);
      changes.push({ change, probability, from, to: null, at: null, conditions, tokens: [] });
    } else if (current && group.kind === 'validity') {
      current.from = group.from;
      current.to = group.to;
    } else if (current && group.kind === 'changeTime') {
      const time: DayHour = { day: null, hour: group.hour, minute: group.minute };
      current[({ FM: 'from', TL: 'to', AT: 'at' } as const)[group.which]] = time;
    } else current?.tokens.push(token);
  }
  for (const change of changes) change.conditions = readConditions(change.tokens);
  return changes;
};
