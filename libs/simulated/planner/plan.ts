/** A synthetic plan with the structure and names of a SimBrief plan; no value comes from a real one. */
import type { PlanTree } from './formats.ts';
import fixed from './plan.json' with { type: 'json' };

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
  /** Empty if the cruise is not flown by cost index. */
  costIndex: string;
  fixes: number;
  isEtops: boolean;
  hasTlr: boolean;
  /** Length of the NOTAM texts. */
  notamCharacters: number;
  pilot: string;
}

const knots = Number(fixed.fix.true_airspeed);
const taxiOutSeconds = Number(fixed.times.taxi_out);
const taxiInSeconds = Number(fixed.times.taxi_in);

const whole = (value: number): string => String(Math.round(value));
const unix = (at: Date, seconds = 0): string => String(Math.floor(at.getTime() / 1000) + seconds);

const distanceNm = (a: PlanAirport, b: PlanAirport): number => {
  const rad = Math.PI / 180;
  const [lat1, lat2] = [a.latitude * rad, b.latitude * rad];
  const angle =
    Math.sin(lat1) * Math.sin(lat2) +
    Math.cos(lat1) * Math.cos(lat2) * Math.cos((b.longitude - a.longitude) * rad);
  return (Math.acos(Math.min(1, Math.max(-1, angle))) / rad) * 60;
};

const notamsOf = (icao: string, characters: number, more: PlanTree): PlanTree[] => {
  const text = `SYNTHETIC ${icao} TAXIWAY CLOSED BETWEEN A1 AND A2 <B> `.repeat(6);
  return Array.from({ length: Math.ceil(characters / text.length) }, (_, i) => ({
    ...fixed.notam,
    notam_id: `S${i}/26`,
    notam_text: text,
    ...more,
  }));
};

const airportOf = (airport: PlanAirport, notamCharacters = 0): PlanTree => {
  const { icao } = airport;
  const period = { location_icao: icao, date_effective: '2026-09-01T06:00:00Z', date_expire: '' };
  return {
    ...fixed.airport,
    icao_code: icao,
    iata_code: airport.iata,
    elevation: whole(airport.elevationFt),
    pos_lat: airport.latitude.toFixed(6),
    pos_long: airport.longitude.toFixed(6),
    name: airport.name,
    plan_rwy: airport.runway,
    metar: airport.metar,
    atis: [{ network: 'SYNTHETIC', letter: 'A', type: 'combined', message: `${icao} ATIS A` }],
    ...(notamCharacters > 0 ? { notam: notamsOf(icao, notamCharacters, period) } : {}),
  };
};

const fixesOf = (options: PlanOptions, enrouteSeconds: number, totalNm: number): PlanTree[] => {
  const { origin, destination, fixes, cruiseFt, loads } = options;
  return Array.from({ length: fixes }, (_, i) => {
    const share = (i + 1) / fixes;
    const isLast = i === fixes - 1;
    const level = isLast ? destination.elevationFt : cruiseFt * Math.min(1, share * 4);
    return {
      ...fixed.fix,
      ident: isLast ? destination.icao : `SYN${String(i).padStart(2, '0')}`,
      name: isLast ? destination.name : `Synthetic ${i}`,
      type: isLast ? 'apt' : 'wpt',
      stage: share < 0.25 ? 'CLB' : 'CRZ',
      via_airway: i === 0 ? 'SYNTH1' : 'DCT',
      is_sid_star: i === 0 || isLast ? '1' : '0',
      pos_lat: (origin.latitude + (destination.latitude - origin.latitude) * share).toFixed(6),
      pos_long: (origin.longitude + (destination.longitude - origin.longitude) * share).toFixed(6),
      distance: whole(totalNm / fixes),
      altitude_feet: whole(level),
      time_leg: whole(enrouteSeconds / fixes),
      time_total: whole(enrouteSeconds * share),
      fuel_leg: whole(loads.burn / fixes),
      fuel_totalused: whole(loads.burn * share),
      fuel_min_onboard: whole(loads.burn * (1.1 - share)),
      fuel_plan_onboard: whole(loads.burn * (1.3 - share)),
    };
  });
};

const weightsOf = ({ loads }: PlanOptions) => {
  const zfw = loads.oew + loads.payload;
  const tow = zfw + loads.burn * 1.3;
  return {
    ...fixed.weights,
    oew: whole(loads.oew),
    payload: whole(loads.payload),
    est_zfw: whole(zfw),
    max_zfw: whole(loads.maxZfw),
    est_tow: whole(tow),
    max_tow: whole(loads.maxTow),
    max_tow_struct: whole(loads.maxTow),
    est_ldw: whole(tow - loads.burn),
    max_ldw: whole(loads.maxLdw),
    est_ramp: whole(tow + 400),
  };
};

const fuelOf = ({ loads: { burn } }: PlanOptions): PlanTree => ({
  ...fixed.fuel,
  enroute_burn: whole(burn),
  contingency: whole(burn * 0.05),
  alternate_burn: whole(burn * 0.1),
  reserve: whole(burn * 0.15),
  min_takeoff: whole(burn * 1.25),
  plan_takeoff: whole(burn * 1.3),
  plan_ramp: whole(burn * 1.3 + 400),
  plan_landing: whole(burn * 0.3),
  max_tanks: whole(burn * 4),
});

/** Weather and runway for a takeoff or landing. */
const reportOf = ({ icao, runway }: PlanAirport, weight: string): PlanTree => ({
  conditions: { ...fixed.conditions, airport_icao: icao, planned_runway: runway, planned_weight: weight },
  runway: [{ ...fixed.runway, identifier: runway }],
});

const tlrOf = (options: PlanOptions): PlanTree => {
  const weights = weightsOf(options);
  const distance = (actualFt: number): PlanTree => ({
    ...fixed.landing,
    weight: weights.max_ldw,
    actual_distance: whole(actualFt),
    factored_distance: whole(actualFt * 1.4),
  });
  return {
    takeoff: reportOf(options.origin, weights.est_tow),
    landing: {
      ...reportOf(options.destination, weights.est_ldw),
      distance_dry: distance(3_200),
      distance_wet: distance(4_400),
    },
  };
};

/** The ETOPS segment between two airports. */
const etopsOf = (options: PlanOptions, airports: readonly PlanTree[], enrouteSeconds: number): PlanTree => {
  const { origin, destination, out, loads } = options;
  const point = (share: number): PlanTree => ({
    elapsed_time: whole(enrouteSeconds * share),
    min_fob: whole(loads.burn * (1.1 - share)),
    est_fob: whole(loads.burn * (1.3 - share)),
  });
  const edge = ({ icao }: PlanAirport, share: number): PlanTree => ({
    ...point(share),
    icao_code: icao,
    pos_lat_fix: '50.5',
    pos_long_fix: '-30.25',
  });
  const critical: PlanTree = {
    ...point(0.5),
    pos_lat: '50.5',
    pos_long: '-30.25',
    critical_fuel: whole(loads.burn * 0.4),
  };
  const diversions = [origin, destination].map(({ icao }) => ({ ...fixed.diversion, icao_code: icao }));
  return {
    rule: '120',
    entry: edge(origin, 0.3),
    exit: edge(destination, 0.7),
    suitable_airport: airports.map((airport) => ({
      ...airport,
      suitability_start: unix(out, 7_200),
      suitability_end: unix(out, 21_600),
    })),
    equal_time_point: [{ ...critical, etops_condition: '1E FL100', div_airport: diversions }],
    critical_point: critical,
  };
};

const filesOf = ({ requestId }: PlanOptions): PlanTree => {
  const directory = 'https://planner.example/files';
  return {
    files: {
      directory,
      pdf: { name: 'PDF Document', link: `${requestId}.pdf` },
      file: [{ name: 'Text', link: `${requestId}.txt` }],
    },
    fms_downloads: { directory, abx: { name: 'Synthetic FMS', link: `${requestId}.flp` } },
    images: { directory, map: [{ name: 'Route', link: `${requestId}.png` }] },
  };
};

/** The plan as a tree; flight times follow from `out`, distance and speed. */
export const syntheticPlan = (options: PlanOptions): PlanTree => {
  const { origin, destination, out, aircraft, notamCharacters, loads } = options;
  const totalNm = distanceNm(origin, destination);
  const enrouteSeconds = Math.round((totalNm / knots) * 3_600);
  const on = taxiOutSeconds + enrouteSeconds;
  const times = (kind: string): PlanTree => ({
    [`${kind}_time_enroute`]: String(enrouteSeconds),
    [`${kind}_out`]: unix(out),
    [`${kind}_off`]: unix(out, taxiOutSeconds),
    [`${kind}_on`]: unix(out, on),
    [`${kind}_in`]: unix(out, on + taxiInSeconds),
    [`${kind}_block`]: String(on + taxiInSeconds),
  });
  const fixes = fixesOf(options, enrouteSeconds, totalNm);
  const enrouteAlternates = options.isEtops ? options.alternates.map((airport) => airportOf(airport)) : [];
  const notamRecord = { icao_id: origin.icao, notam_effective_dtg: '202609010600' };
  return {
    fetch: { userid: String(options.userId), static_id: options.staticId, status: 'Success', time: '0.01' },
    params: {
      ...fixed.params,
      request_id: options.requestId,
      sequence_id: `${options.requestId}a`,
      static_id: options.staticId,
      user_id: String(options.userId),
      time_generated: unix(options.generatedAt),
      units: options.units,
    },
    general: {
      ...fixed.general,
      is_etops: options.isEtops ? '1' : '0',
      cruise_profile: options.costIndex === '' ? 'M 0.78' : `CI ${options.costIndex}`,
      costindex: options.costIndex,
      initial_altitude: whole(options.cruiseFt),
      stepclimb_string: `${origin.icao}/0${whole(options.cruiseFt / 100)}`,
      gc_distance: whole(totalNm),
      route_distance: whole(totalNm),
      air_distance: whole(totalNm * 1.05),
      total_burn: whole(loads.burn),
    },
    origin: airportOf(origin, notamCharacters),
    destination: airportOf(destination, notamCharacters),
    alternate: options.alternates.map((airport) => ({ ...airportOf(airport), ...fixed.alternate })),
    takeoff_altn: options.isEtops ? [airportOf(origin)] : [],
    enroute_altn: enrouteAlternates,
    etops: options.isEtops ? etopsOf(options, enrouteAlternates, enrouteSeconds) : [],
    navlog: fixes.length === 0 ? [] : { fix: fixes },
    tlr: options.hasTlr ? tlrOf(options) : [],
    atc: fixed.atc,
    aircraft: {
      ...fixed.aircraft,
      icaocode: aircraft.icao,
      icao_code: aircraft.icao,
      base_type: aircraft.icao,
      name: aircraft.name,
      engines: aircraft.engines,
      reg: aircraft.registration,
    },
    fuel: fuelOf(options),
    fuel_extra: {
      bucket: [
        { label: 'ATC', fuel: whole(loads.burn * 0.02), time: '0010', required: '1' },
        { label: 'WXX', fuel: whole(loads.burn * 0.01), time: '0005', required: '' },
      ],
    },
    times: {
      ...fixed.times,
      ...times('sched'),
      ...times('est'),
      endurance: String(enrouteSeconds + 7_200),
    },
    weights: weightsOf(options),
    impacts: fixed.impacts,
    crew: { ...fixed.crew, pilot_id: String(options.userId), cpt: options.pilot },
    notams: notamCharacters > 0 ? { notamdrec: notamsOf(origin.icao, notamCharacters, notamRecord) } : [],
    text: { plan_html: `<div style="line-height:14px"><b>OFP & ${origin.icao}</b></div>` },
    ...filesOf(options),
    api_params: { orig: origin.icao, dest: destination.icao, reg: aircraft.registration },
  };
};
