/** Simulated aircraft reports in the CSV of the Aviation Weather Center's cache. */
import { some } from './formats.ts';
import type { ContentFault } from './formats.ts';
import { minuteMs } from '#domain/time.ts';

const header =
  'receipt_time,observation_time,mid_point_assumed,no_time_stamp,flt_lvl_range,above_ground_level_indicated,no_flt_lvl,bad_location,aircraft_ref,latitude,longitude,altitude_ft_msl,sky_cover,cloud_base_ft_msl,cloud_top_ft_msl,sky_cover,cloud_base_ft_msl,cloud_top_ft_msl,turbulence_type,turbulence_intensity,turbulence_base_ft_msl,turbulence_top_ft_msl,turbulence_freq,turbulence_type,turbulence_intensity,turbulence_base_ft_msl,turbulence_top_ft_msl,turbulence_freq,icing_type,icing_intensity,icing_base_ft_msl,icing_top_ft_msl,icing_type,icing_intensity,icing_base_ft_msl,icing_top_ft_msl,visibility_statute_mi,wx_string,temp_c,wind_dir_degrees,wind_speed_kt,vert_gust_kt,report_type,raw_text';

type Seed = readonly [
  latitude: number,
  longitude: number,
  levelHundreds: number,
  aircraft: string,
  turbulence: string,
  icing: string,
];

/** On and near busy routes. */
const seeds: readonly Seed[] = [
  [41.2, -72.6, 190, 'B738', 'MOD', ''],
  [41.6, -71.9, 210, 'E190', 'LGT', 'LGT'],
  [40.9, -73.4, 70, 'A320', 'NEG', 'MOD'],
  [39.1, -108.2, 350, 'B763', 'SEV', ''],
  [44.6, -88.4, 120, 'CRJ9', '', 'MOD'],
  [52.1, -21.3, 360, 'B772', 'MOD', ''],
  [49.4, -45.8, 370, 'A333', 'LGT', ''],
  [51.9, -1.4, 280, 'A319', 'LGT-MOD', ''],
  [48.9, 8.3, 150, 'A320', '', 'LGT'],
  [33.2, -96.1, 390, 'B739', 'LGT', ''],
];

/** The observation time is within the last 30 minutes and moves on every 30 minutes. */
const rowOf = (
  [latitude, longitude, level, aircraft, turbulence, icing]: Seed,
  index: number,
  nowMs: number,
) => {
  const offsetMs = (index * 7 + 2) * minuteMs;
  const at = new Date(Math.floor((nowMs - offsetMs) / (30 * minuteMs)) * 30 * minuteMs + offsetMs);
  const time = at.toISOString().slice(0, 19);
  const hour = `${time.slice(11, 13)}${time.slice(14, 16)}`;
  const parts = [
    ...(turbulence === '' ? [] : [`/TB ${turbulence}`]),
    ...(icing === '' ? [] : [`/IC ${icing} RIME`]),
  ].join('');
  const raw = `XXX U${turbulence === 'SEV' ? 'U' : ''}A /OV ${latitude}${longitude}/TM ${hour}/FL${String(level).padStart(3, '0')}/TP ${aircraft}${parts}`;
  const fields: string[] = Array.from({ length: header.split(',').length }, () => '');
  for (const [column, value] of [
    [0, `${time}Z`],
    [1, `${time}Z`],
    [8, aircraft],
    [9, String(latitude)],
    [10, String(longitude)],
    [11, String(level * 100)],
    [19, turbulence],
    [28, icing === '' ? '' : 'RIME'],
    [29, icing],
    [42, turbulence === 'SEV' ? 'Urgent PIREP' : 'PIREP'],
    [43, raw],
  ] as const)
    fields[column] = value;
  return fields.join(',');
};

export const pirepCsv = (now: Date, fault: ContentFault): string => {
  const nowMs = now.getTime() + (fault === 'future' ? 30 * 86_400_000 : 0);
  const rows = some(seeds, fault).map((seed, index) => rowOf(seed, index, nowMs));
  const head =
    fault === 'schema' ? header.replace('receipt_time,observation_time', 'received,observed') : header;
  return `No errors\nNo warnings\n9 ms\ndata source=aircraftreports\n${rows.length} results\n${head}\n${rows.join('\n')}\n`;
};
