import { number, rowsOf } from './points.ts';
import type { Row, SpeedPoint } from './points.ts';

/** Aircraft in the tables, and the profile's rating for each engine thrust. */
const sources: Readonly<
  Record<string, { profile: string; aircraft: string; ratings: Record<string, string> }>
> = {
  '737-600-7B22': { profile: '737-600', aircraft: '737-600', ratings: { '22K': 'TO' } },
  '737-700-7B24': {
    profile: '737-700-7B24',
    aircraft: '737-700',
    ratings: { TO: 'TO', '24K': 'TO', '22K': 'TO-1', '20K': 'TO-2' },
  },
  '737-800-7B24': {
    profile: '737-800-7B26',
    aircraft: '737-800',
    ratings: { 'TO-1': 'TO', '24K': 'TO', 'TO-2': 'TO-1', '22K': 'TO-1' },
  },
  '737-800-7B26': {
    profile: '737-800-7B26',
    aircraft: '737-800',
    ratings: { TO: 'TO', '26K': 'TO', 'TO-1': 'TO-1', '24K': 'TO-1', 'TO-2': 'TO-2', '22K': 'TO-2' },
  },
  '737-900ER': {
    profile: '737-900ER',
    aircraft: '737-900ER',
    ratings: { TO: 'TO', '27K': 'TO', '24K': 'TO-1', '22K': 'TO-2' },
  },
};

/** A runway that does not limit any published speed, m. */
const longM = 9000;

/**
 * Published speeds of the 737s: by weight, by weight with adjustments for temperature and altitude, slope or wind, and
 * V1(MCG). Adjustments apply to the flaps 5 speeds at the middle weight.
 */
export const speeds737 = async (folder: string, profileId: string): Promise<SpeedPoint[]> => {
  const source = sources[profileId];
  if (!source) return [];
  const { profile, aircraft, ratings } = source;
  const isOwn = (row: Row): boolean =>
    (row['profile'] === profile || row['aircraft'] === aircraft) &&
    ratings[row['rating'] ?? ''] !== undefined;
  const own = async (file: string): Promise<Row[]> => (await rowsOf(folder, file)).filter(isOwn);
  const base = (row: Row, i: number) => ({
    table: '',
    flap: '5',
    rating: ratings[row['rating'] ?? ''] ?? '',
    surface: row['surface'] === 'wet' ? ('WET' as const) : ('DRY' as const),
    pressureAltitudeFt: 0,
    temperatureC: 15,
    lengthM: longM,
    headwindKt: 0,
    slope: 0,
    packsOff: false,
    isFitted: i % 2 === 0,
  });
  const control = await own('737ng-v1mcg');
  // V1(MCG) at sea level and 30 C, up to which thrust is flat-rated, so that it hardly changes with temperature.
  const leastKt = (rating: string): number =>
    control
      .filter((row) => ratings[row['rating'] ?? ''] === rating && row['oat_c'] === '30')
      .filter((row) => row['pressure_altitude_ft'] === '0')
      .reduce((most, row) => Math.max(most, number(row, 'v1mcg_kt')), 0);
  const byWeight = (await own('737ng-takeoff-speeds')).map((row, i) => {
    const point = { ...base(row, i), flap: row['flap'] ?? '', massKg: 1000 * number(row, 'weight_t') };
    const [least, vrKt] = [leastKt(point.rating), number(row, 'vr_published')];
    const raised = Math.max(least, vrKt);
    const v2Kt = number(row, 'v2_published') + raised - vrKt;
    return { ...point, v1Kt: Math.max(least, number(row, 'v1_published')), vrKt: raised, v2Kt };
  });
  const flaps5 = (rating: string, surface: string, kg: number) =>
    byWeight
      .filter((point) => point.flap === '5' && point.rating === rating && point.surface === surface)
      .toSorted((a, b) => Math.abs(a.massKg - kg) - Math.abs(b.massKg - kg))[0];
  const adjusted = (row: Row, i: number, kg: number, change: Partial<SpeedPoint>): SpeedPoint[] => {
    const point = base(row, i);
    const from = flaps5(point.rating, point.surface, kg);
    if (!from) return [];
    const delta = number(row, 'delta_kt') || number(row, 'delta_v1_kt') || 0;
    const of = (name: string, value: number) => ((row['speed'] ?? 'V1') === name ? value + delta : null);
    const published = { v1Kt: of('V1', from.v1Kt), vrKt: of('VR', from.vrKt), v2Kt: of('V2', from.v2Kt) };
    return [{ ...point, table: ' adjusted', massKg: from.massKg, ...published, ...change }];
  };
  const middleKg = 58_000;
  const ofFlaps5 = (row: Row): boolean => (row['flaps'] ?? '').split('/').includes('5');
  const inAir = (row: Row) => ({
    temperatureC: number(row, 'oat_c'),
    pressureAltitudeFt: number(row, 'pressure_altitude_ft'),
  });
  const [air, slopes, winds] = [
    (await own('737ng-speed-adjustments-temp-altitude')).filter(ofFlaps5),
    (await own('737ng-v1-slope')).filter(ofFlaps5),
    (await own('737ng-v1-wind')).filter(ofFlaps5),
  ];
  return [
    ...byWeight,
    ...air.flatMap((row, i) => adjusted(row, i, middleKg, inAir(row))),
    ...slopes.flatMap((row, i) =>
      adjusted(row, i, number(row, 'weight_kg'), { slope: number(row, 'slope_pct') / 100 }),
    ),
    ...winds.flatMap((row, i) =>
      adjusted(row, i, number(row, 'weight_kg'), { headwindKt: number(row, 'wind_kt_head_positive') }),
    ),
    ...control.map((row, i) => ({
      ...base(row, i),
      ...inAir(row),
      massKg: middleKg,
      vmcgKt: number(row, 'v1mcg_kt'),
    })),
  ];
};
