import type { DayHour, Group, Token } from './groups.ts';
import { conditionLines, runwayStatePhrase, weatherPhrase, windPhrase } from './phrases.ts';
import { groupsOf, inHgFromHpa } from './report.ts';
import type { Change, Report } from './report.ts';
import { forecastTime, utcText } from './times.ts';

/** The period of an FM begins with "from", and a probability is stated in percent. */
const changeWords: Readonly<Record<Change['change'], string>> = {
  NOSIG: 'no significant change',
  TEMPO: 'temporarily ',
  BECMG: 'becoming ',
  INTER: 'intermittently ',
  PROB: '',
  FM: '',
};

/**
 * Decodes a report into plain English, one line per group and change in a fixed order, with unmatched words last.
 * `at`: time of observation or issue, which dates the periods. `remarks` are sentences for the RMK part, `note` is the
 * last line.
 */
export const decodedText = (
  report: Report,
  at: string | null,
  remarks: readonly string[],
  note: string | null = null,
): string => {
  const { kind, validity, temperatureC, dewpointC, recentWeather } = report;
  const isMetar = kind === 'METAR';
  const lines = head(report, at, isMetar ? 'Observed' : 'Issued');
  if (!isMetar && validity) lines.push(`Valid: ${when(validity.from, at)} to ${when(validity.to, at)}`);
  lines.push(...conditionLines(report.main));
  if (isMetar && temperatureC !== null) {
    const dewpoint = dewpointC === null ? 'dew point not reported' : `dew point ${dewpointC} C`;
    lines.push(`Temperature: ${temperatureC} C, ${dewpoint}`);
  }
  const pressure = pressureLine(report);
  if (pressure) lines.push(pressure);
  if (isMetar && recentWeather.length > 0)
    lines.push(`Recent weather: ${recentWeather.map(weatherPhrase).join(', ')}`);
  lines.push(...otherLines(report.tokens.filter(({ section }) => section !== 'change')));
  for (const state of isMetar ? report.runwayStates : [])
    if (state.runwayEnds?.length !== 0) lines.push(`Runway state: ${runwayStatePhrase(state)}`);
  for (const { which, temperatureC: extremeC, at: time } of groupsOf(report.tokens, 'extremeTemperature'))
    lines.push(
      `${which === 'max' ? 'Highest' : 'Lowest'} temperature: ${extremeC} C${time ? ` at ${when(time, at)}` : ''}`,
    );
  for (const change of report.changes)
    lines.push(isMetar ? `Trend: ${changePhrase(change, null)}` : `Change: ${changePhrase(change, at)}`);
  lines.push(...remarks.map((sentence) => `Remark: ${sentence}`));
  if (report.undecoded.length > 0) lines.push(`Not decoded: ${report.undecoded.join(' ')}`);
  if (note !== null) lines.push(note);
  return lines.join('\n');
};

const head = (report: Report, at: string | null, timeLabel: string): string[] => {
  const words = {
    METAR: 'METAR, routine report',
    SPECI: 'SPECI, special report',
    TAF: 'TAF, aerodrome forecast',
  };
  const marks = [
    report.automatic ? 'automatic' : '',
    report.corrected ? 'corrected' : '',
    report.amended ? 'amended' : '',
  ].filter((mark) => mark !== '');
  const lines = [`Report: ${[words[report.typeWord ?? report.kind], ...marks].join(', ')}`];
  if (report.icao) lines.push(`Station: ${report.icao}`);
  if (at) lines.push(`${timeLabel}: ${utcText(at).slice(0, 16)} UTC`);
  else if (report.time) lines.push(`${timeLabel}: day ${report.time.day}, ${clock(report.time)} UTC`);
  if (report.nil) lines.push('Content: no report available (NIL)');
  if (report.cancelled) lines.push('Content: cancelled (CNL)');
  return lines;
};

const pressureLine = (report: Report): string | null => {
  if (report.qnhHpa === null) return null;
  const inHg = report.altimeterInHg100 === null ? inHgFromHpa(report.qnhHpa) : report.altimeterInHg100 / 100;
  return `Pressure: QNH ${report.qnhHpa} hPa (${inHg.toFixed(2)} inHg)`;
};

/** Groups that are neither conditions nor changes. */
const otherLines = (tokens: readonly Token[]): string[] =>
  tokens.flatMap(({ continued, group }) => (continued ? [] : (otherPhrase(group) ?? [])));

const otherPhrase = (group: Group): string | null => {
  switch (group.kind) {
    case 'windShear':
      if (group.wind) return `Wind shear: at ${group.heightFt} ft wind ${windPhrase(group.wind)}`;
      return `Wind shear: ${group.runway === null ? 'all runways' : `runway ${group.runway}`}`;
    case 'colour':
      return `Colour state: ${group.state}`;
    case 'seaState':
      return group.seaTemperatureC === null ? null : `Sea surface temperature: ${group.seaTemperatureC} C`;
    default:
      return null;
  }
};

const changePhrase = (change: Change, issuedAt: string | null): string => {
  if (change.change === 'NOSIG') return changeWords.NOSIG;
  const period = periodPhrase(change, issuedAt);
  const probability = change.probability === null ? '' : `probability ${change.probability} %, `;
  const word = changeWords[change.change];
  const said = [...conditionLines(change.conditions), ...otherLines(change.tokens)];
  const what = said.map((line) => line.charAt(0).toLowerCase() + line.slice(1).replace(': ', ' ')).join('; ');
  return `${probability}${word}${period}${what ? `: ${what}` : ''}`.replace(/ +:/, ':').trim();
};

const periodPhrase = (change: Change, issuedAt: string | null): string => {
  const parts: string[] = [];
  if (change.at) parts.push(`at ${when(change.at, issuedAt)}`);
  if (change.from) parts.push(`from ${when(change.from, issuedAt)}`);
  if (change.to) parts.push(`${change.from ? 'to' : 'until'} ${when(change.to, issuedAt)}`);
  return parts.join(' ');
};

const when = (at: DayHour, issuedAt: string | null): string => {
  if (issuedAt) return `${utcText(forecastTime(at, issuedAt)).slice(0, 16)} UTC`;
  return `${at.day === null ? '' : `day ${at.day}, `}${clock(at)} UTC`;
};

const clock = (t: { hour: number; minute: number }): string =>
  `${String(t.hour).padStart(2, '0')}:${String(t.minute).padStart(2, '0')}`;
