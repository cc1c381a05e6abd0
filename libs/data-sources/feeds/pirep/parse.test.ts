import { expect, test } from 'vitest';
import { pirepCsv } from '#simulated/pireps.ts';
import { parsePireps } from './parse.ts';

const now = new Date('2026-09-16T12:00:00Z');
const head = pirepCsv(now, 'empty').split('\n').slice(0, 6).join('\n');
const columns = head.split('\n').at(-1)?.split(',') ?? [];

/** A row in the source's format; a second value for a name goes to its second column. */
const row = (values: Record<string, string | readonly string[]>): string => {
  const left = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value].flat()]));
  return columns.map((name) => left[name]?.shift() ?? '').join(',');
};
const usual = {
  receipt_time: '2026-09-16T11:21:03Z',
  observation_time: '2026-09-16T11:08:00.000Z',
  aircraft_ref: 'B757',
  latitude: '34.2284',
  longitude: '-97.5701',
  altitude_ft_msl: '24000',
  report_type: 'PIREP',
  raw_text: '1F0 UA /OV ADM267020/TM 1108/FL240/TP B757/TB MOD CAT',
};
const read = (...rows: Record<string, string | readonly string[]>[]) =>
  parsePireps(`${head}\n${rows.map((values) => row({ ...usual, ...values })).join('\n')}\n`, now);

test('A report is read with position, level and, from repeated columns, both layers of turbulence and icing', () => {
  const { records, rejects } = read({
    turbulence_type: ['CAT', 'CHOP'],
    turbulence_intensity: ['MOD', 'LGT-MOD'],
    turbulence_base_ft_msl: ['19000', ''],
    turbulence_top_ft_msl: ['24000', ''],
    icing_intensity: ['NEGclr', ''],
    temp_c: '-54',
    wind_dir_degrees: '224',
    wind_speed_kt: '106',
  });
  expect(rejects).toEqual([]);
  expect(records).toEqual([
    {
      kind: 'PIREP',
      isUrgent: false,
      observedAt: '2026-09-16T11:08:00.000Z',
      latitude: 34.2284,
      longitude: -97.5701,
      altitude: 24_000,
      aircraft: 'B757',
      turbulence: [
        { intensity: 'MOD', type: 'CAT', base: 19_000, top: 24_000 },
        { intensity: 'LGT-MOD', type: 'CHOP', base: null, top: null },
      ],
      icing: [{ intensity: 'NEG', type: null, base: null, top: null }],
      temperature: -54,
      windDirection: 224,
      windSpeed: 106,
      text: usual.raw_text,
    },
  ]);
});

test('AIREP are recognised, urgent reports are marked, and an unreported level is null', () => {
  const { records } = read(
    { report_type: 'AIREP', raw_text: 'ARP UAL123 3426N09734W 1108 F360' },
    { report_type: 'Urgent PIREP' },
    { raw_text: 'OKC UUA /OV OKC/TM 1108/FLUNKN/TP B757/TB SEV', no_flt_lvl: 'TRUE', altitude_ft_msl: '0' },
  );
  expect(records.map(({ kind, isUrgent, altitude }) => [kind, isUrgent, altitude])).toEqual([
    ['AIREP', false, 24_000],
    ['PIREP', true, 24_000],
    ['PIREP', true, null],
  ]);
});

test('Each unreadable report is rejected with a reason, and the others are kept', () => {
  const { records, rejects } = read(
    {},
    { observation_time: 'later' },
    { observation_time: '2026-09-16T14:00:00Z' },
    { latitude: '' },
    { longitude: '181' },
    { bad_location: 'TRUE' },
    { raw_text: '' },
  );
  expect(records).toHaveLength(1);
  expect(rejects.map(({ reason }) => reason)).toEqual([
    'the time of the observation is unreadable',
    'observed in the future',
    'without a place',
    'without a place',
    'the place is marked as wrong',
    'without a text',
  ]);
});

test('Other content and a list without a readable report are refused', () => {
  for (const text of ['', '<!DOCTYPE html><html></html>', 'raw_text,station_id,x\n', head])
    expect(() => parsePireps(text, now)).toThrow(/report|HTML|page/i);
});

test('Every simulated report is readable and from the last hour', () => {
  const { records, rejects } = parsePireps(pirepCsv(now, null), now);
  expect(rejects).toEqual([]);
  expect(records.length).toBeGreaterThan(5);
  const ages = records.map(({ observedAt }) => now.getTime() - Date.parse(observedAt));
  expect(Math.max(...ages)).toBeLessThan(2 * 3_600_000);
  expect(Math.min(...ages)).toBeGreaterThanOrEqual(0);
});
