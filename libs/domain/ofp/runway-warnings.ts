/** Warnings about a planned runway at the planned time: NOTAM, and weather outside the aircraft's limits. */
import { normaliseRunwayIdent } from '../airports/ident.ts';
import { runwayEndOf } from '../airports/served.ts';
import type { KnownAirport, ServedRunwayEnd } from '../airports/served.ts';
import { endUnderNotams } from '../notam/apply.ts';
import type { NumberedNotam } from '../notam/apply.ts';
import { notamsToRead } from '../notam/describe.ts';
import { officialReports } from '../notam/surface/official.ts';
import { codeForUse } from '../performance/situation/condition.ts';
import type { SituationOfUse } from '../performance/situation/of-use.ts';
import type { CautionAnswer } from '../performance/caution.ts';
import type { WorstWind } from '../performance/situation/weather.ts';
import type { Warnings } from './warnings.ts';

interface PlannedRunway {
  use: 'landing' | 'takeoff';
  icao: string;
  runway: string;
  /** Planned time, ISO 8601. */
  at: string;
  situation: SituationOfUse;
}

/** Wind cautions of an aircraft for a runway with this code (6: dry) and the NOTAM in force. */
type WindCautions = (
  use: PlannedRunway['use'],
  wind: WorstWind,
  rwycc: number,
  runway: { widthM: number | null; lengthM: number },
) => Pick<CautionAnswer, 'code' | 'severity' | 'text'>[];

const warnOfNotams = (
  { use, icao, at }: PlannedRunway,
  known: KnownAirport,
  notams: readonly NumberedNotam[],
  end: ServedRunwayEnd,
  path: string,
  warnings: Warnings,
): { toraM: number; ldaM: number } => {
  const time = new Date(at);
  const when = `at the planned time of ${use} ${at}`;
  const state = endUnderNotams(known.airport, end, notams, time);
  if (end.isClosed || state.closedFor[use])
    warnings.add('RUNWAY_CLOSED', path, `Runway ${end.ident} of ${icao} is closed ${when}.`);
  for (const { notam, text } of state.reasons)
    warnings.add(
      'NOTAM_IN_FORCE',
      `${path}.${notam}`,
      `NOTAM ${notam} of ${icao} is in force ${when}: ${text}.`,
    );
  for (const { notam, text } of notamsToRead(state.flagged))
    warnings.add('NOTAM_TO_READ', `${path}.${notam}`, `For ${icao} at ${at} read NOTAM ${text}`);
  for (const { notam, text } of officialReports(notams, time, known).unread)
    warnings.add(
      'NOTAM_TO_READ',
      `${path}.${notam}`,
      `For ${icao} at ${at} read NOTAM ${notam} on the runway surface: ${text}`,
    );
  return state;
};

/** The member in a warning's path, by the kind of the wind caution. */
const parts: Readonly<Record<string, string>> = {
  HEADWIND_LIMIT: '.headwind',
  CROSSWIND_LIMIT: '.crosswind',
};

const warnOfWeather = (
  { use, icao, at, situation }: PlannedRunway,
  { ident, widthM }: ServedRunwayEnd,
  lengthM: number,
  cautions: WindCautions | null,
  path: string,
  warnings: Warnings,
): void => {
  const { surface, sources, wind } = situation;
  const when = `The weather for ${use} on ${ident} of ${icao} at ${at}`;
  const code = surface?.code ?? null;
  if (code === null || code < 6)
    warnings.add(
      'FORECAST_RUNWAY_CONDITION',
      path,
      `${when}: ${sources.runwayCondition.text ?? 'the runway is not dry'}${code === null ? '' : `, runway condition code ${code}`}.`,
    );
  if (!cautions || !wind) return;
  const rwycc = surface === null ? 1 : codeForUse(surface, use);
  for (const { code: limit, severity, text } of cautions(use, wind, rwycc, { widthM, lengthM }))
    if (severity === 'warning')
      warnings.add('FORECAST_WIND_LIMIT', `${path}${parts[limit] ?? ''}`, `${when}: ${text}`);
};

/** Warns about a planned runway. Past times belong to completed flights. */
export const warnOfRunway = (
  planned: PlannedRunway,
  known: KnownAirport,
  notams: readonly NumberedNotam[],
  cautions: WindCautions | null,
  now: Date,
  warnings: Warnings,
): void => {
  if (new Date(planned.at) < now) return;
  const path = `${planned.use === 'landing' ? 'destination' : 'origin'}.plan_rwy`;
  const ident = normaliseRunwayIdent(planned.runway);
  const end = ident === null ? null : runwayEndOf(known, ident);
  if (!end) {
    warnings.add('RUNWAY_UNKNOWN', path, `${planned.icao} has no runway ${planned.runway}.`);
    return;
  }
  const { toraM, ldaM } = warnOfNotams(planned, known, notams, end, path, warnings);
  warnOfWeather(planned, end, planned.use === 'landing' ? ldaM : toraM, cautions, path, warnings);
};
