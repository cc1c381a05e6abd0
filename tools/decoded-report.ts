import { decodedText } from '#domain/weather/decoded-text.ts';
import type { CloudGroup, RunwayStateGroup, RvrGroup } from '#domain/weather/groups.ts';
import { highlight } from '#domain/weather/highlight.ts';
import type { HighlightItem } from '#domain/weather/highlight.ts';
import { readReport } from '#domain/weather/report.ts';
import type { Report } from '#domain/weather/report.ts';
import { remarkSentences } from '#data/weather/metar-response.ts';

/** A report decoded on the command line; null for what it does not state. */
export interface DecodedReport {
  raw: string;
  icao: string | null;
  /** Degrees true; null when variable, calm is 0. */
  windDir: number | null;
  windSpeedKt: number | null;
  gustKt: number | null;
  /** Prevailing visibility; 9999 means 10 km or more, also in CAVOK. */
  visibilityM: number | null;
  rvr: Omit<RvrGroup, 'kind'>[];
  qnhHpa: number | null;
  temperatureC: number | null;
  dewpointC: number | null;
  /** Present weather codes as printed. */
  weather: string[];
  /** Layers with an amount, vertical visibility as amount `VV`; `///CB` is in `decoded`. */
  clouds: Omit<CloudGroup, 'kind'>[];
  runwayStates: Omit<RunwayStateGroup, 'kind'>[];
  highlighted: HighlightItem[];
  decoded: string;
  undecoded: string[];
}

/** Decodes a METAR or SPECI line. Never throws: any other text gives nulls, with its words as undecoded. */
export const decodeMetar = (raw: string): DecodedReport => decoded(readReport(raw, 'METAR'));

/** Decodes a TAF line; wind, visibility, weather and clouds are those of its first period. Never throws. */
export const decodeTaf = (raw: string): DecodedReport => decoded(readReport(raw, 'TAF'));

const decoded = (report: Report): DecodedReport => {
  const { wind, visibility, cavok, rvr, weather, clouds, verticalVisibilityFt } = report.main;
  const knots = (kt: number | null | undefined): number | null =>
    typeof kt === 'number' ? Math.round(kt) : null;
  return {
    raw: report.text,
    icao: report.icao,
    windDir: wind?.directionDeg ?? null,
    windSpeedKt: knots(wind?.speedKt),
    gustKt: knots(wind?.gustKt),
    visibilityM: cavok ? 9999 : (visibility?.metres ?? null),
    rvr: rvr.map(withoutKind),
    qnhHpa: report.qnhHpa,
    temperatureC: report.temperatureC,
    dewpointC: report.dewpointC,
    weather: weather.map((w) => w.code),
    clouds: [
      ...clouds.filter((layer) => layer.amount !== null).map(withoutKind),
      ...(verticalVisibilityFt === null ? [] : [{ amount: 'VV', baseFt: verticalVisibilityFt, type: null }]),
    ],
    runwayStates: report.runwayStates.map(withoutKind),
    highlighted: highlight(report.tokens),
    decoded: decodedText(report, null, remarkSentences(report.remarks)),
    undecoded: report.undecoded,
  };
};

const withoutKind = <T extends { kind: string }>({ kind: _kind, ...rest }: T): Omit<T, 'kind'> => rest;
