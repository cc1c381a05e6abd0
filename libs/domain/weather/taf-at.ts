/** Conditions forecast by a TAF for one time: what prevails, what may change, and the groups that say so. */
import type { DayHour } from './groups.ts';
import { visibilityOf } from './patterns.ts';
import type { Change, Conditions, Report } from './report.ts';
import { groupsOf, hpaFromInHg, readReport } from './report.ts';
import { forecastTime, timeFromGroup } from './times.ts';

/** ISO 8601; `to` is null for groups without an end of their own. */
export interface ForecastGroup {
  kind: 'MAIN' | Exclude<Change['change'], 'NOSIG'>;
  /** Percent; null when the group prints none. */
  probability: number | null;
  from: string;
  to: string | null;
  /** As printed. */
  text: string;
  /** Prevailing conditions as changed by this group. */
  conditions: Conditions;
  /** Conditions named by the group itself. */
  named: Conditions;
}

/** FM replaces all conditions; other groups replace only those they name. */
export const changed = (before: Conditions, after: Conditions): Conditions => {
  const hasClouds = after.clouds.length > 0 || after.noCloud !== null || after.isSkyObscured;
  const hasWeather = after.weather.length > 0 || after.noSignificantWeather;
  const { clouds, noCloud, isSkyObscured, verticalVisibilityFt } = hasClouds || after.cavok ? after : before;
  const endsCavok = after.visibility !== null || hasClouds || hasWeather;
  return {
    ...before,
    wind: after.wind ?? before.wind,
    windVariation: after.wind ? after.windVariation : before.windVariation,
    cavok: after.cavok || (before.cavok && !endsCavok),
    // CAVOK includes a visibility of 10 km, which new clouds or weather alone do not end.
    visibility:
      after.visibility ??
      (after.cavok ? null : before.cavok && endsCavok ? visibilityOf(9_999) : before.visibility),
    weather: hasWeather || after.cavok ? after.weather : before.weather,
    clouds,
    noCloud,
    isSkyObscured,
    verticalVisibilityFt,
  };
};

/**
 * A day warms soon after its minimum and stays warm after its maximum: between them a quarter sine, never below the
 * straight line. Outside them the highest value, as it may become that warm again.
 */
const temperatureAt = (
  { tokens }: Report,
  timeMs: number,
  timeOf: (when: DayHour) => string,
): number | null => {
  const extremes = groupsOf(tokens, 'extremeTemperature')
    .flatMap((group) => (group.at === null ? [] : [{ ...group, ms: Date.parse(timeOf(group.at)) }]))
    .toSorted((a, b) => a.ms - b.ms);
  const before = extremes.findLast(({ ms }) => ms <= timeMs);
  const after = extremes.find(({ ms }) => ms >= timeMs);
  if (!before || !after) {
    return mostOf(extremes.filter(({ which }) => which === 'max').map((one) => one.temperatureC));
  }
  const [cold, warm] = [before, after].map((one) => one.temperatureC).toSorted((a, b) => a - b) as [
    number,
    number,
  ];
  const toWarm = before.temperatureC < after.temperatureC ? timeMs - before.ms : after.ms - timeMs;
  const share = after.ms === before.ms ? 1 : toWarm / (after.ms - before.ms);
  return Math.ceil(cold + (warm - cold) * Math.sin((share * Math.PI) / 2) - 1e-9);
};

/**
 * Values of T or Q in an Australian TAF, which start at its validity and follow every three hours: those around the
 * time, or all outside that range, since it may become as warm or the pressure as low again.
 */
const threeHourly = ({ text }: Report, letter: 'T' | 'Q', sinceMs: number): number[] => {
  const [, found] =
    new RegExp(String.raw`(?:^|\s)${letter}((?: (?:M?\d{2}|\d{4})(?![^\s=])){2,4})`).exec(text) ?? [];
  const values = (found?.trim().split(' ') ?? []).map((value) => Number(value.replace('M', '-')));
  const i = sinceMs / (3 * 3_600_000);
  const around = values.slice(Math.floor(i), Math.ceil(i) + 1);
  return i <= values.length - 1 ? around : values;
};
const mostOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : Math.max(...values);

/** The text of each change group. */
const textsOf = ({ tokens }: Report): string[] => {
  const texts: string[] = [];
  for (const { section, group, continued, text } of tokens) {
    if (section !== 'change' || text.trim() === '') continue;
    if (!continued && group.kind === 'change') texts.push(text);
    else if (texts.length > 0) texts.push(`${texts.pop()} ${text}`);
  }
  return texts;
};

const notAt = (
  reason: 'NOT_READABLE' | 'CANCELLED' | 'BEFORE_VALIDITY' | 'AFTER_VALIDITY',
  validFrom: string | null = null,
  validTo: string | null = null,
) => ({ reason, validFrom, validTo });
export type TafNotAt = ReturnType<typeof notAt>;
export type TafAt = Exclude<ReturnType<typeof tafAt>, TafNotAt>;

/**
 * Forecast for `at` (ISO 8601). A BECMG is complete at the end of its period and may apply before; an FM ends all
 * earlier groups.
 */
export const tafAt = (text: string, at: string, knownIssue: string | null = null) => {
  const report = readReport(text, 'TAF');
  const { time, validity } = report;
  const issuedAt = knownIssue ?? (time && timeFromGroup(time, new Date(at)));
  if (report.cancelled || report.nil) return notAt('CANCELLED');
  if (!issuedAt || !validity) return notAt('NOT_READABLE');
  const timeMs = Date.parse(at);
  const timeOf = (when: Parameters<typeof forecastTime>[0]): string => forecastTime(when, issuedAt);
  const isFrom = (iso: string): boolean => Date.parse(iso) <= timeMs;
  const [validFrom, validTo] = [timeOf(validity.from), timeOf(validity.to)];
  if (!isFrom(validFrom)) return notAt('BEFORE_VALIDITY', validFrom, validTo);
  if (isFrom(validTo)) return notAt('AFTER_VALIDITY', validFrom, validTo);
  const body = report.tokens.filter((token) => token.section === 'body' && token.text.trim() !== '');
  const main: ForecastGroup = {
    kind: 'MAIN',
    probability: null,
    from: validFrom,
    to: validTo,
    text: body.map((token) => token.text).join(' '),
    conditions: report.main,
    named: report.main,
  };
  const texts = textsOf(report);
  let groups = [main];
  let changes: ForecastGroup[] = [];
  for (const [i, { change, probability, from, to, conditions: named }] of report.changes.entries()) {
    // Without a period, it is unknown when the group applies.
    const start = from ? timeOf(from) : validFrom;
    if (change === 'NOSIG' || !isFrom(start)) continue;
    const end = to ? timeOf(to) : from ? null : validTo;
    const before = (groups.at(-1) ?? main).conditions;
    const isWhole = change === 'FM';
    const group: ForecastGroup = {
      kind: change,
      probability,
      from: start,
      to: end,
      text: texts[i] ?? '',
      conditions: isWhole ? named : changed(before, named),
      named,
    };
    const isPast = end === null || isFrom(end);
    if (isWhole) [groups, changes] = [[group], []];
    else if (change === 'BECMG' && isPast) groups = [...groups, group];
    else if (!isPast) changes.push(group);
  }
  const unread = groupsOf(report.tokens, 'unreadPeriod').map(({ from }) => timeOf(from));
  const wholeFrom = groups[0]?.kind === 'FM' ? groups[0].from : validFrom;
  if (unread.some((from) => isFrom(from) && from >= wholeFrom))
    return notAt('NOT_READABLE', validFrom, validTo);
  const prevailing = (groups.at(-1) ?? main).conditions;
  // A group may precede the one that it modifies.
  changes = changes.map((group) => ({ ...group, conditions: changed(prevailing, group.named) }));
  const sinceMs = timeMs - Date.parse(validFrom);
  const pressures = groupsOf(report.tokens, 'pressure').flatMap(({ unit, value }) =>
    value === null ? [] : [unit === 'hPa' ? value : hpaFromInHg(value / 100)],
  );
  pressures.push(...threeHourly(report, 'Q', sinceMs));
  return {
    report,
    issuedAt,
    validFrom,
    validTo,
    prevailing,
    /** Groups that make up the prevailing conditions; the first is the main part or an FM group. */
    groups,
    /** TEMPO, INTER and PROB groups that apply at this time, and a BECMG still in progress. */
    changes,
    /** Interpolated between TX and TN and rounded up, or from the T group of an Australian TAF; null without either. */
    temperatureC: temperatureAt(report, timeMs, timeOf) ?? mostOf(threeHourly(report, 'T', sinceMs)),
    /** Lowest QNH in the TAF; null without one. */
    qnhHpa: pressures.length === 0 ? null : Math.min(...pressures),
  };
};
