import { decodedText } from '#domain/weather/decoded-text.ts';
import { reportedSituation } from '#domain/performance/situation/reported.ts';
import type { RunwayNames } from '#domain/airports/reported-runway.ts';
import { enrouteOf } from '#domain/weather/condition-names.ts';
import { ofAerodrome } from '#domain/weather/condition-of-state.ts';
import { highlight } from '#domain/weather/highlight.ts';
import { icing } from '#domain/weather/runway-condition.ts';
import { readReport } from '#domain/weather/report.ts';
import type { Report } from '#domain/weather/report.ts';
import type { OfficialReports } from '#domain/notam/surface/official.ts';
import { runwaySurface } from '#domain/performance/situation/runway-surface.ts';
import { runwayKey, runwayWind } from '#domain/weather/runway-wind.ts';
import type { MetarObject, RunwayWeather, TafObject } from '#domain/weather/schema.ts';
import { isMetarCurrent, utcText } from '#domain/weather/times.ts';
import type { MetarRecord, TafRecord } from '#domain/weather/types.ts';
import { parseMetar } from 'metar-taf-parser';

/** A remark of 50,000 characters takes a millisecond; real ones have up to 200. */
const maxRemarkLength = 1_000;

/**
 * Decodes the RMK part into English sentences by the library metar-taf-parser. Unknown remarks, or a text that it
 * cannot parse at all, are returned unchanged. Never throws.
 */
export const remarkSentences = (remarks: string | null): string[] => {
  if (remarks === null) return [];
  const text = remarks.slice(0, maxRemarkLength);
  try {
    const parsed = parseMetar(`ZZZZ 010000Z RMK ${text}`);
    return parsed.remarks.map((remark) => remark.description ?? remark.raw);
  } catch {
    // The library rejects some malformed remarks, whose text is still worth showing.
    return [text];
  }
};

/** A runway in the weather answer; its bearing is true, like METAR winds. */
interface RunwayForWeather {
  ident: string;
  trueBearingDeg: number;
  /** Closed permanently or by a NOTAM in force; absent: open. */
  isClosed?: boolean;
}

/**
 * The METAR object in the weather answer, with one entry per runway. `report` is METAR for SPECI too; `text` keeps the
 * published type word. `official` reports of runway conditions override the weather. `aliases` maps former to present
 * designators. Reports of any age are returned; `decoded` marks those older than 75 minutes.
 */
export const metarResponse = (
  record: MetarRecord,
  runways: readonly RunwayForWeather[],
  now: Date,
  official: OfficialReports = { reports: [], unread: [], slippery: [] },
  aliases: RunwayNames['aliases'] = new Map(),
): MetarObject => {
  const report = ofAerodrome(readReport(record.raw, 'METAR'), { airport: { ends: runways }, aliases });
  const perRunway: Record<string, RunwayWeather> = {};
  for (const runway of runways) {
    const key = runwayKey(runway.ident);
    if (key !== null) perRunway[key] = runwayWeather(report, runway, record.observedAt, official);
  }
  return {
    report: 'METAR',
    icao: record.icao,
    source: record.source,
    date: utcText(record.observedAt),
    text: record.raw,
    textHighlighted: highlight(report.tokens),
    decoded: decodedText(
      report,
      record.observedAt,
      remarkSentences(report.remarks),
      isMetarCurrent(record.observedAt, now) ? null : 'Age: older than 75 minutes',
    ),
    metar2SVC: perRunway,
  };
};

const runwayWeather = (
  report: Report,
  { ident, trueBearingDeg, isClosed = false }: RunwayForWeather,
  observedAt: string,
  official: OfficialReports,
): RunwayWeather => {
  const surface = runwaySurface(report, ident, observedAt, official);
  const { condition } = surface;
  const wind = runwayWind(report.main.wind, trueBearingDeg);
  return {
    isClosed,
    ...wind,
    qnh: report.qnhHpa,
    temp: report.temperatureC,
    dew: report.dewpointC,
    runwayConditionTakeoffDispatch: condition.dispatch,
    runwayConditionLandingDispatch: condition.dispatch,
    runwayConditionLandingEnroute: enrouteOf(condition.code),
    icing: icing(report, condition),
    situation: reportedSituation(report, surface, trueBearingDeg, observedAt),
  };
};

/** The TAF object in the weather answer; `date` is the issue time. */
export const tafResponse = (record: TafRecord, now: Date): TafObject => {
  const report = readReport(record.raw, 'TAF');
  const hasEnded = record.validTo !== null && Date.parse(record.validTo) <= now.getTime();
  return {
    report: 'TAF',
    icao: record.icao,
    source: record.source,
    date: utcText(record.issuedAt),
    text: record.raw,
    textHighlighted: highlight(report.tokens),
    decoded: decodedText(
      report,
      record.issuedAt,
      remarkSentences(report.remarks),
      hasEnded ? 'Validity: has ended' : null,
    ),
    validityHasEnded: hasEnded,
  };
};
