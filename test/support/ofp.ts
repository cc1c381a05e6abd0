/** Synthetic plans for tests, and a planner that answers with them. */
import type { PlanAirport, PlanOptions } from '#simulated/planner/plan.ts';
import type { PlanTree } from '#simulated/planner/formats.ts';
import { syntheticPlan } from '#simulated/planner/plan.ts';
import { writePlan } from './plan-formats.ts';
import type { PlanFormat } from './plan-formats.ts';

const airport = (
  icao: string,
  iata: string,
  latitude: number,
  longitude: number,
  runway: string,
  metar: string,
): PlanAirport => ({
  icao,
  iata,
  name: `${icao} SYNTHETIC`,
  latitude,
  longitude,
  elevationFt: 20,
  runway,
  metar,
});

export const kjfk = airport('KJFK', 'JFK', 40.64, -73.78, '04L', 'KJFK 161151Z 03012G20KT 10SM 18/12 A3002');
export const kbos = airport('KBOS', 'BOS', 42.36, -71.01, '04R', 'KBOS 161154Z VRB05KT 10SM 17/11 A2998');
export const kbdl = airport('KBDL', 'BDL', 41.94, -72.68, '06', '');
export const egll = airport('EGLL', 'LHR', 51.47, -0.45, '27R', 'EGLL 161150Z 24008MPS 9999 14/10 Q1009');

/** A short flight in lbs with one alternate. */
export const shortHaul: PlanOptions = {
  userId: 123_456,
  requestId: '184000001',
  staticId: '',
  generatedAt: new Date('2026-09-16T10:00:00Z'),
  out: new Date('2026-09-16T14:00:00Z'),
  origin: kbos,
  destination: kjfk,
  alternates: [kbdl],
  aircraft: { icao: 'B738', name: '737-800', engines: 'CFM56-7B26', registration: 'N0SYN' },
  units: 'lbs',
  loads: { oew: 91_300, payload: 26_500, maxZfw: 138_300, maxTow: 174_200, maxLdw: 146_300, burn: 6_400 },
  cruiseFt: 23_000,
  costIndex: '30',
  fixes: 8,
  isEtops: false,
  hasTlr: true,
  notamCharacters: 500,
  pilot: 'SYNTHETIC PILOT',
};

/** A long ETOPS flight in kgs with two alternates. */
export const longHaul: PlanOptions = {
  ...shortHaul,
  requestId: '184000002',
  origin: egll,
  destination: kjfk,
  alternates: [kbos, kbdl],
  aircraft: { icao: 'B772', name: '777-200', engines: 'GE90-76B', registration: 'G-SYNT' },
  units: 'kgs',
  loads: { oew: 138_000, payload: 32_000, maxZfw: 190_509, maxTow: 247_208, maxLdw: 201_849, burn: 44_000 },
  cruiseFt: 36_000,
  fixes: 40,
  isEtops: true,
};

export const planTree = (options: Partial<PlanOptions> = {}): PlanTree =>
  syntheticPlan({ ...shortHaul, ...options });

export const planText = (options: Partial<PlanOptions> = {}, format: PlanFormat = 'json=1'): string =>
  writePlan(planTree(options), format);

/** The document of a plan as an object. */
export const planDocument = (options: Partial<PlanOptions> = {}): Record<string, Record<string, unknown>> =>
  JSON.parse(planText(options)) as Record<string, Record<string, unknown>>;
