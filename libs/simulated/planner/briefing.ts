/** Blocks of a synthetic plan besides route, loads and times. */
import type { PlanTree } from './formats.ts';
import { whole } from './loads.ts';
import type { PlanAirport, PlanOptions } from './loads.ts';

const distanceOf = (weight: string, actual: number): PlanTree => ({
  weight,
  flap_setting: '30',
  brake_setting: 'MAX MAN',
  reverser_credit: 'YES',
  speeds_vref: '141',
  actual_distance: whole(actual),
  factored_distance: whole(actual * 1.4),
});

/** Landing distances of the performance section, feet. */
export const landingDistances = (weight: string): PlanTree => ({
  distance_dry: distanceOf(weight, 3_200),
  distance_wet: distanceOf(weight, 4_400),
});

const pointOf = (share: number, { loads }: PlanOptions, enrouteSeconds: number): PlanTree => ({
  pos_lat: '50.5',
  pos_long: '-30.25',
  elapsed_time: whole(enrouteSeconds * share),
  min_fob: whole(loads.burn * (1.1 - share)),
  est_fob: whole(loads.burn * (1.3 - share)),
});

/** The ETOPS segment between two airports. */
export const etopsOf = (
  options: PlanOptions,
  airports: readonly PlanTree[],
  enrouteSeconds: number,
): PlanTree => {
  const { origin, destination, out, loads } = options;
  const diversion = ({ icao }: PlanAirport) => ({
    icao_code: icao,
    track_true: '45',
    distance: '420',
    avg_wind_comp: '-12',
  });
  const edge = ({ icao }: PlanAirport, share: number): PlanTree => {
    const { pos_lat, pos_long, ...point } = pointOf(share, options, enrouteSeconds);
    return { icao_code: icao, pos_lat_fix: pos_lat ?? '', pos_long_fix: pos_long ?? '', ...point };
  };
  const unix = Math.floor(out.getTime() / 1_000);
  return {
    rule: '120',
    entry: edge(origin, 0.3),
    exit: edge(destination, 0.7),
    suitable_airport: airports.map((airport) => ({
      ...airport,
      suitability_start: whole(unix + 7_200),
      suitability_end: whole(unix + 21_600),
    })),
    equal_time_point: [
      {
        ...pointOf(0.5, options, enrouteSeconds),
        etops_condition: '1E FL100',
        critical_fuel: whole(loads.burn * 0.4),
        div_airport: [diversion(origin), diversion(destination)],
      },
    ],
    critical_point: { ...pointOf(0.5, options, enrouteSeconds), critical_fuel: whole(loads.burn * 0.4) },
  };
};

export const fuelExtraOf = ({ loads }: PlanOptions): PlanTree => ({
  bucket: [
    { label: 'ATC', fuel: whole(loads.burn * 0.02), time: '0010', required: '1' },
    { label: 'WXX', fuel: whole(loads.burn * 0.01), time: '0005', required: '' },
  ],
});

export const filesOf = ({ requestId }: PlanOptions): PlanTree => {
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
