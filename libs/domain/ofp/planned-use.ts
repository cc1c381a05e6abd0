/** What holds at a runway of a plan, of which the plan itself has reports besides those that are stored. */
import { situationOfUse } from '../performance/situation/of-use.ts';
import type { RunwayOfUse, SituationOfUse } from '../performance/situation/of-use.ts';
import { readReport } from '../weather/report.ts';
import { timeFromGroup } from '../weather/times.ts';
import type { MetarRecord, TafRecord } from '../weather/types.ts';
import type { PlannedAirport, PlannedReport } from './planned.ts';

/** As the plan has it. */
export interface PlannedUse {
  airport: PlannedAirport;
  section: PlannedReport | null;
  use: 'arrival' | 'takeoff';
}

export interface StoredReports {
  metar: Pick<MetarRecord, 'raw' | 'observedAt'> | null;
  taf: Pick<TafRecord, 'raw' | 'issuedAt'> | null;
}

/** When the report of a plan was made: as the plan says, else by its own group, which has no month; never after the plan. */
const observedAt = ({ metar, metarTime }: PlannedAirport, generatedAt: string | null): string | null => {
  const { time } = readReport(metar ?? '', 'METAR');
  if (generatedAt === null) return metarTime ?? null;
  const at = metarTime ?? (time && timeFromGroup(time, new Date(generatedAt)));
  return at && Date.parse(at) > Date.parse(generatedAt) ? generatedAt : (at ?? null);
};

/** Times are ISO 8601. `generatedAt`: of the plan; `at`: of use. */
export const plannedSituation = (
  { airport, section, use }: PlannedUse,
  { metar, taf }: StoredReports,
  runway: RunwayOfUse,
  { generatedAt, at }: { generatedAt: string | null; at: string },
): SituationOfUse =>
  situationOfUse(
    {
      metars: [
        ...(metar ? [{ raw: metar.raw, at: metar.observedAt, name: 'METAR' }] : []),
        ...(airport.metar === null
          ? []
          : [{ raw: airport.metar, at: observedAt(airport, generatedAt), name: 'METAR of the plan' }]),
      ],
      tafs: [
        ...(taf ? [{ raw: taf.raw, at: taf.issuedAt, name: 'TAF at this time' }] : []),
        ...(airport.taf === null ? [] : [{ raw: airport.taf, at: null, name: 'TAF of the plan' }]),
      ],
    },
    section && { conditions: section.conditions, generatedAt },
    runway,
    use,
    at,
  );
