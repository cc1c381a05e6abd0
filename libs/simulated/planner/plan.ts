/** A synthetic plan with the blocks and names of a planner; no value is from a real one. */
import type { PlanNode, PlanTree } from './formats.ts';
import { etopsOf, filesOf, fuelExtraOf, landingDistances } from './briefing.ts';
import { fuelOf, weightsOf, whole } from './loads.ts';
import type { PlanAirport, PlanOptions } from './loads.ts';

const knots = 440;

const distanceNm = (a: PlanAirport, b: PlanAirport): number => {
  const rad = Math.PI / 180;
  const [lat1, lat2] = [a.latitude * rad, b.latitude * rad];
  const angle =
    Math.sin(lat1) * Math.sin(lat2) +
    Math.cos(lat1) * Math.cos(lat2) * Math.cos((b.longitude - a.longitude) * rad);
  return (Math.acos(Math.min(1, Math.max(-1, angle))) / rad) * 60;
};

const unix = (at: Date, seconds = 0): string => String(Math.floor(at.getTime() / 1000) + seconds);

const notamsOf = (icao: string, characters: number): PlanTree[] => {
  const text = `SYNTHETIC ${icao} TAXIWAY CLOSED BETWEEN A1 AND A2 <B> `.repeat(6);
  const count = Math.ceil(characters / text.length);
  return Array.from({ length: count }, (_, i) => ({
    notam_id: `S${i}/26`,
    notam_text: text,
    notam_qcode: 'QMXLC',
  }));
};

const airportOf = (airport: PlanAirport, notamCharacters: number): PlanTree => ({
  icao_code: airport.icao,
  iata_code: airport.iata,
  faa_code: '',
  elevation: whole(airport.elevationFt),
  pos_lat: airport.latitude.toFixed(6),
  pos_long: airport.longitude.toFixed(6),
  name: airport.name,
  timezone: '0',
  plan_rwy: airport.runway,
  trans_alt: '18000',
  trans_level: '18000',
  metar: airport.metar,
  taf: '',
  atis: [{ network: 'SYNTHETIC', letter: 'A', type: 'combined', message: `${airport.icao} ATIS A` }],
  ...(notamCharacters > 0
    ? {
        notam: notamsOf(airport.icao, notamCharacters).map((notam) => ({
          ...notam,
          location_icao: airport.icao,
          date_effective: '2026-09-01T06:00:00Z',
          date_expire: '',
        })),
      }
    : {}),
});

const fixesOf = (options: PlanOptions, enrouteSeconds: number, totalNm: number): PlanTree[] => {
  const { origin, destination, fixes, cruiseFt, loads } = options;
  return Array.from({ length: fixes }, (_, i) => {
    const share = (i + 1) / fixes;
    const isLast = i === fixes - 1;
    const level = isLast ? destination.elevationFt : cruiseFt * Math.min(1, share * 4);
    return {
      ident: isLast ? destination.icao : `SYN${String(i).padStart(2, '0')}`,
      name: isLast ? destination.name : `Synthetic ${i}`,
      type: isLast ? 'apt' : 'wpt',
      stage: share < 0.25 ? 'CLB' : 'CRZ',
      via_airway: i === 0 ? 'SYNTH1' : 'DCT',
      is_sid_star: i === 0 || isLast ? '1' : '0',
      pos_lat: (origin.latitude + (destination.latitude - origin.latitude) * share).toFixed(6),
      pos_long: (origin.longitude + (destination.longitude - origin.longitude) * share).toFixed(6),
      distance: whole(totalNm / fixes),
      track_true: '250',
      track_mag: '262',
      altitude_feet: whole(level),
      ind_airspeed: '280',
      true_airspeed: whole(knots),
      mach: '0.78',
      wind_component: '-22',
      wind_dir: '270',
      wind_spd: '35',
      oat: '-45',
      time_leg: whole(enrouteSeconds / fixes),
      time_total: whole(enrouteSeconds * share),
      fuel_leg: whole(loads.burn / fixes),
      fuel_totalused: whole(loads.burn * share),
      fuel_min_onboard: whole(loads.burn * (1.1 - share)),
      fuel_plan_onboard: whole(loads.burn * (1.3 - share)),
      fir: 'KZNY',
      mora: '4500',
      wind_data: { level: [{ altitude: '30000', wind_dir: '265', wind_spd: '30', oat: '-40' }] },
    };
  });
};

const conditionsOf = ({ icao, runway }: PlanAirport, weight: PlanNode): PlanTree => ({
  airport_icao: icao,
  planned_runway: runway,
  planned_weight: weight,
  wind_direction: '270',
  wind_speed: '10',
  temperature: '15',
  altimeter: '29.92',
  surface_condition: 'dry',
});

const taxiOutSeconds = 1_200;

/** The plan as a tree; times of the flight follow from `out`, the distance and 440 kt. */
export const syntheticPlan = (options: PlanOptions): PlanTree => {
  const { origin, destination, out, aircraft, generatedAt, notamCharacters } = options;
  const totalNm = distanceNm(origin, destination);
  const enrouteSeconds = Math.round((totalNm / knots) * 3_600);
  const weights = weightsOf(options);
  const off = taxiOutSeconds;
  const times = (kind: string): PlanTree => ({
    [`${kind}_out`]: unix(out),
    [`${kind}_off`]: unix(out, off),
    [`${kind}_on`]: unix(out, off + enrouteSeconds),
    [`${kind}_in`]: unix(out, off + enrouteSeconds + 480),
    [`${kind}_block`]: String(off + enrouteSeconds + 480),
  });
  const route = 'SYNTH1 SYN00 DCT SYN01 SYNTH2';
  const fixes = fixesOf(options, enrouteSeconds, totalNm);
  const report = (airport: PlanAirport, weight: PlanNode): PlanTree => ({
    conditions: conditionsOf(airport, weight),
    runway: [{ identifier: airport.runway, length: '10000', headwind_component: '8', limit_code: 'F' }],
  });
  return {
    fetch: { userid: String(options.userId), static_id: options.staticId, status: 'Success', time: '0.01' },
    params: {
      request_id: options.requestId,
      sequence_id: `${options.requestId}a`,
      static_id: options.staticId,
      user_id: String(options.userId),
      time_generated: unix(generatedAt),
      ofp_layout: 'SYN',
      airac: '2609',
      units: options.units,
    },
    general: {
      release: '1',
      icao_airline: 'SYN',
      flight_number: '123',
      is_etops: options.isEtops ? '1' : '0',
      is_detailed_profile: '1',
      cruise_profile: options.costIndex === '' ? 'M 0.78' : `CI ${options.costIndex}`,
      costindex: options.costIndex,
      initial_altitude: whole(options.cruiseFt),
      stepclimb_string: `${origin.icao}/0${whole(options.cruiseFt / 100)}`,
      avg_temp_dev: '3',
      avg_wind_comp: '-22',
      avg_wind_dir: '270',
      avg_wind_spd: '35',
      gc_distance: whole(totalNm),
      route_distance: whole(totalNm),
      air_distance: whole(totalNm * 1.05),
      total_burn: whole(options.loads.burn),
      passengers: '118',
      route,
      route_ifps: route,
      sid_ident: 'SYNTH1',
      sid_trans: '',
      star_ident: 'SYNTH2',
      star_trans: '',
      dx_rmk: ['SYNTHETIC PLAN', 'NOT FOR FLIGHT'],
      sys_rmk: [],
    },
    origin: airportOf(origin, notamCharacters),
    destination: airportOf(destination, notamCharacters),
    alternate: options.alternates.map((airport) => ({
      ...airportOf(airport, 0),
      cruise_altitude: '12000',
      distance: '80',
      ete: '1260',
      burn: '3000',
      route: 'DCT',
    })),
    takeoff_altn: options.isEtops ? [airportOf(origin, 0)] : [],
    enroute_altn: options.isEtops ? options.alternates.map((airport) => airportOf(airport, 0)) : [],
    etops: options.isEtops
      ? etopsOf(
          options,
          options.alternates.map((airport) => airportOf(airport, 0)),
          enrouteSeconds,
        )
      : [],
    navlog: fixes.length === 0 ? [] : { fix: fixes },
    tlr: options.hasTlr
      ? {
          takeoff: report(origin, weights['est_tow'] ?? ''),
          landing: {
            ...report(destination, weights['est_ldw'] ?? ''),
            ...landingDistances(whole(options.loads.maxLdw)),
          },
        }
      : [],
    atc: { flightplan_text: '(FPL-SYN123-IS)', route, callsign: 'SYN123', section18: '' },
    aircraft: {
      icaocode: aircraft.icao,
      icao_code: aircraft.icao,
      base_type: aircraft.icao,
      name: aircraft.name,
      engines: aircraft.engines,
      reg: aircraft.registration,
      fin: '',
      selcal: '',
      equip: 'SDE2E3GHIRWY/LB1',
      is_custom: '0',
      max_passengers: '160',
    },
    fuel: fuelOf(options),
    fuel_extra: fuelExtraOf(options),
    times: {
      est_time_enroute: String(enrouteSeconds),
      sched_time_enroute: String(enrouteSeconds),
      ...times('sched'),
      ...times('est'),
      taxi_out: String(taxiOutSeconds),
      taxi_in: '480',
      reserve_time: '1800',
      endurance: String(enrouteSeconds + 7_200),
    },
    weights,
    impacts: {
      minus_2000ft: { time_difference: '-30', burn_difference: '+110', ramp_fuel: '115' },
      plus_2000ft: [],
    },
    crew: { pilot_id: String(options.userId), cpt: options.pilot, fo: '', dx: '' },
    notams:
      notamCharacters > 0
        ? {
            notamdrec: notamsOf(origin.icao, notamCharacters).map((notam) => ({
              ...notam,
              icao_id: origin.icao,
              notam_effective_dtg: '202609010600',
            })),
          }
        : [],
    text: { plan_html: `<div style="line-height:14px"><b>OFP & ${origin.icao}</b></div>` },
    ...filesOf(options),
    api_params: { orig: origin.icao, dest: destination.icao, reg: aircraft.registration },
  };
};
