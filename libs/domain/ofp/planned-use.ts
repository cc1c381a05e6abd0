/** The situation at a planned runway, with the reports in the plan besides the stored ones. */
import { situationOfUse } from '../performance/situation/of-use.ts';
import type { RunwayOfUse, SituationOfUse } from '../performance/situation/of-use.ts';
import { mostAheadMs } from '../weather/times.ts';
import type { MetarRecord, TafRecord } from '../weather/types.ts';
import type { PlannedAirport, PlannedReport } from './planned.ts';
import { metarTimeOf } from './read-airport.ts';

/** The use of an aerodrome as planned. */
export interface PlannedUse {
  airport: PlannedAirport;
  section: PlannedReport | null;
  use: 'arrival' | 'takeoff';
}

export interface StoredReports {
  metar: Pick<MetarRecord, 'raw' | 'observedAt'> | null;
  taf: Pick<TafRecord, 'raw' | 'issuedAt'> | null;
}

/** ISO 8601. */
interface Times {
  /** When the plan was generated. */
  generatedAt: string | null;
  /** Time of use. */
  at: string;
  now: string;
}

/** When a report in the plan was made; null if unknown or in the future. */
const observedAt = (airport: PlannedAirport, { generatedAt, now }: Times): string | null => {
  const at = metarTimeOf(airport, generatedAt);
  return at !== null && Date.parse(at) > Date.parse(now) + mostAheadMs ? null : at;
};

export const plannedSituation = (
  { airport, section, use }: PlannedUse,
  { metar, taf }: StoredReports,
  runway: RunwayOfUse,
  times: Times,
): SituationOfUse =>
  situationOfUse(
    {
      metars: [
        ...(metar ? [{ raw: metar.raw, at: metar.observedAt, name: 'METAR' }] : []),
        ...(airport.metar === null
          ? []
          : [{ raw: airport.metar, at: observedAt(airport, times), name: 'METAR of the plan' }]),
      ],
      tafs: [
        ...(taf ? [{ raw: taf.raw, at: taf.issuedAt, name: 'TAF at this time' }] : []),
        ...(airport.taf === null ? [] : [{ raw: airport.taf, at: null, name: 'TAF of the plan' }]),
      ],
    },
    section && { conditions: section.conditions, generatedAt: times.generatedAt },
    runway,
    use,
    times.at,
  );
