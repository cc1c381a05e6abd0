/** What a synthetic plan is made for, and its fuel and weights. */
import type { PlanTree } from './formats.ts';

export interface PlanAirport {
  icao: string;
  iata: string;
  name: string;
  latitude: number;
  longitude: number;
  elevationFt: number;
  runway: string;
  metar: string;
}

export interface PlanOptions {
  userId: number;
  requestId: string;
  staticId: string;
  generatedAt: Date;
  out: Date;
  origin: PlanAirport;
  destination: PlanAirport;
  alternates: readonly PlanAirport[];
  aircraft: { icao: string; name: string; engines: string; registration: string };
  units: 'lbs' | 'kgs';
  /** In `units`. */
  loads: { oew: number; payload: number; maxZfw: number; maxTow: number; maxLdw: number; burn: number };
  cruiseFt: number;
  /** Empty for a cruise that is not by cost index. */
  costIndex: string;
  fixes: number;
  isEtops: boolean;
  hasTlr: boolean;
  /** Size of the texts of NOTAM. */
  notamCharacters: number;
  pilot: string;
}

export const whole = (value: number): string => String(Math.round(value));

export const weightsOf = ({ loads }: PlanOptions): PlanTree => {
  const zfw = loads.oew + loads.payload;
  const tow = zfw + loads.burn * 1.3;
  return {
    oew: whole(loads.oew),
    pax_count: '120',
    pax_count_actual: '118',
    bag_count: '110',
    bag_count_actual: '110',
    cargo: '0',
    payload: whole(loads.payload),
    est_zfw: whole(zfw),
    max_zfw: whole(loads.maxZfw),
    est_tow: whole(tow),
    max_tow: whole(loads.maxTow),
    max_tow_struct: whole(loads.maxTow),
    tow_limit_code: 'Structural',
    est_ldw: whole(tow - loads.burn),
    max_ldw: whole(loads.maxLdw),
    est_ramp: whole(tow + 400),
  };
};

export const fuelOf = ({ loads: { burn } }: PlanOptions): PlanTree => ({
  taxi: '400',
  enroute_burn: whole(burn),
  contingency: whole(burn * 0.05),
  alternate_burn: whole(burn * 0.1),
  reserve: whole(burn * 0.15),
  etops: '0',
  extra: '0',
  min_takeoff: whole(burn * 1.25),
  plan_takeoff: whole(burn * 1.3),
  plan_ramp: whole(burn * 1.3 + 400),
  plan_landing: whole(burn * 0.3),
  avg_fuel_flow: '5000',
  max_tanks: whole(burn * 4),
});
