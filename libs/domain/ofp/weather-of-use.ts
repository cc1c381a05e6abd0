/** Which report holds at the time an aerodrome is used. */
import { z } from 'zod';
import { evidenceOfReport } from '../performance/situation/weather.ts';
import type { WeatherEvidence } from '../performance/situation/weather.ts';
import { categoryOf } from '../weather/category.ts';
import { flightCategorySchema } from '../weather/forecast-answer.ts';
import { readReport } from '../weather/report.ts';
import type { Report } from '../weather/report.ts';
import { tafAt, worstOf } from '../weather/taf-at.ts';
import type { TafAt, TafNotAt } from '../weather/taf-at.ts';
import type { MetarRecord, TafRecord } from '../weather/types.ts';

export interface StoredReports {
  metar: Pick<MetarRecord, 'raw' | 'observedAt'> | null;
  taf: Pick<TafRecord, 'raw' | 'issuedAt'> | null;
}

/** Until then what was observed says more than what was forecast. */
const observedMinutes = 60;
const minuteMs = 60_000;

export const weatherUsedSchema = z.strictObject({
  source: z.enum(['METAR', 'TAF']).nullable().describe('null: there is neither'),
  date: z.string().nullable().describe('observation or issue of the report, ISO 8601'),
  text: z.string().nullable().describe('the METAR, or the groups of the TAF that hold at this time'),
  category: flightCategorySchema,
  reason: z.string().describe('why this one, for people'),
});
type WeatherUsed = z.output<typeof weatherUsedSchema>;

export interface WeatherOfUse {
  used: WeatherUsed;
  /** What holds, then what says something that the first does not. */
  evidence: WeatherEvidence[];
  /** The report that holds, of a forecast with the worst of what may apply; null without one. */
  report: Report | null;
}

const words = {
  BEFORE_VALIDITY: 'the TAF begins later',
  AFTER_VALIDITY: 'the TAF ends before',
  CANCELLED: 'the TAF is cancelled',
  NOT_READABLE: 'the TAF cannot be read',
} as const satisfies Record<TafNotAt['reason'], string>;

const ofTaf = (found: TafAt): WeatherUsed => ({
  source: 'TAF',
  date: found.issuedAt,
  text: [...found.groups, ...found.changes].map(({ text }) => text).join(' '),
  category: categoryOf(found.prevailing),
  reason: 'the forecast for this time',
});

/** `at` is ISO 8601. */
export const weatherOfUse = ({ metar: stored, taf }: StoredReports, at: string): WeatherOfUse => {
  const read = stored && readReport(stored.raw, 'METAR');
  const observed = read?.nil ? null : read;
  const metar = observed && stored;
  const minutes = metar && Math.round((Date.parse(at) - Date.parse(metar.observedAt)) / minuteMs);
  const found = taf && tafAt(taf.raw, at, taf.issuedAt);
  const forecast = found && !('reason' in found) ? found : null;
  const name = { metar: 'METAR', taf: 'TAF at this time' };
  const reported = metar &&
    observed && [evidenceOfReport(observed, { source: 'reported', at: metar.observedAt, name: name.metar })];
  if (forecast && (minutes === null || Math.abs(minutes) > observedMinutes)) {
    const report = worstOf(forecast);
    const first = evidenceOfReport(report, {
      source: 'forecast',
      at: forecast.issuedAt,
      name: name.taf,
    });
    return { used: ofTaf(forecast), evidence: [first, ...(reported ?? [])], report };
  }
  if (!metar || !observed || minutes === null) {
    const reason = `no METAR, and ${found && 'reason' in found ? words[found.reason] : 'no TAF'}`;
    const used = { source: null, date: null, text: null, category: null, reason };
    return { used, evidence: [], report: null };
  }
  const age = `observed ${Math.abs(minutes)} min ${minutes < 0 ? 'after' : 'before'}`;
  const missing = found && 'reason' in found ? words[found.reason] : 'there is no TAF';
  return {
    used: {
      source: 'METAR',
      date: metar.observedAt,
      text: metar.raw,
      category: categoryOf(observed.main),
      reason: forecast ? age : `${age}; ${missing}`,
    },
    evidence: reported ?? [],
    report: observed,
  };
};
