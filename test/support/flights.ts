/** Synthetic flight plans in the formats of four planners, for a landing at KJFK 04L. */
import { planJsonOf } from '#simulated/planner/formats.ts';
import { oldJsonOf, writePlan } from './plan-formats.ts';
import type { PlanTree } from '#simulated/planner/formats.ts';
import { kbos, kjfk, planTree } from './ofp.ts';

/** The conditions in the performance section, as planners word them. */
export interface TlrConditions {
  wind_direction?: string;
  wind_speed?: string;
  temperature?: string;
  altimeter?: string;
  surface_condition?: string;
}

export interface FlightOptions {
  requestId: string;
  metar: string;
  /** The report is older than the planner's window, so only the block of reports has it. */
  isOld?: boolean;
  taf: string;
  /** Null: the plan has no performance section. */
  tlr: TlrConditions | null;
  runway: string;
  originRunway?: string;
  registration: string;
  /** Off-blocks time; the landing is an hour and a half later. */
  out?: Date;
}

const plannedTlr = {
  wind_direction: '270',
  wind_speed: '10',
  temperature: '15',
  altimeter: '29.92',
  surface_condition: '',
};

const treeOf = (options: FlightOptions): PlanTree => {
  const { requestId, metar, isOld = false, taf, tlr, runway, originRunway, registration, out } = options;
  const block = isOld ? { weather: { dest_metar: metar, dest_taf: taf } } : {};
  const tree = planTree({
    requestId,
    ...(out ? { out } : {}),
    ...(originRunway === undefined ? {} : { origin: { ...kbos, metar: '', runway: originRunway } }),
    destination: { ...kjfk, metar: isOld ? '' : metar, runway },
    hasTlr: tlr !== null,
    aircraft: { icao: 'B738', name: '737-800', engines: 'CFM56-7B26', registration },
  });
  const destination = { ...(tree['destination'] as PlanTree), taf };
  if (tlr === null) return { ...tree, ...block, destination };
  const sections = tree['tlr'] as PlanTree;
  const landing = sections['landing'] as PlanTree;
  const conditions = { ...(landing['conditions'] as PlanTree), ...plannedTlr, ...tlr };
  return { ...tree, ...block, destination, tlr: { ...sections, landing: { ...landing, conditions } } };
};

/** An exporter that renames the root element and members, and leaves old reports out of the airport block. */
const exported = (tree: PlanTree): string => {
  const old = oldJsonOf(tree) as Record<string, Record<string, unknown>>;
  const airport = (name: string) => {
    const { icao_code, plan_rwy, pos_lat, pos_long, metar: _, taf: __, ...rest } = old[name] ?? {};
    return { ...rest, icao: icao_code, runway: plan_rwy, latitude: pos_lat, longitude: pos_long };
  };
  const weather = old['weather'] ?? {
    dest_metar: old['destination']?.['metar'],
    dest_taf: old['destination']?.['taf'],
  };
  return JSON.stringify({
    FlightPlan: { ...old, origin: airport('origin'), destination: airport('destination'), weather },
  });
};

/** Inputs of `ofpImport`, one per planner. */
export const makers: readonly ((options: FlightOptions) => { source: 'json' | 'xml'; document: unknown })[] =
  [
    (options) => ({ source: 'json', document: JSON.stringify(oldJsonOf(treeOf(options))) }),
    (options) => ({ source: 'json', document: planJsonOf(treeOf(options)) }),
    (options) => ({ source: 'xml', document: writePlan(treeOf(options), 'xml') }),
    (options) => ({ source: 'json', document: exported(treeOf(options)) }),
  ];
