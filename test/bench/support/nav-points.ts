/** Navaids and waypoints of benchmarks. */
import type { NavPoint } from '#domain/navdata/types.ts';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** The n-th identifier of five letters, spread over the alphabet. */
export const identOf = (n: number): string => {
  let rest = (n * 7_919_111) % 26 ** 5;
  let ident = '';
  for (let i = 0; i < 5; i += 1) {
    ident += letters[rest % 26] ?? 'A';
    rest = Math.floor(rest / 26);
  }
  return ident;
};

/** Of all kinds, all over the world. */
export const navPoints = (rows: number): NavPoint[] =>
  Array.from({ length: rows }, (_, n) => ({
    ident: n % 15 === 0 ? identOf(n).slice(0, 3) : identOf(n),
    name: `POINT ${n}`,
    band: n % 15 === 0 ? ('vhf' as const) : ('point' as const),
    frequencyMhz: n % 15 === 0 ? 108 + (n % 200) / 20 : null,
    latitudeDeg: ((n * 37) % 17_000) / 100 - 85,
    longitudeDeg: ((n * 91) % 36_000) / 100 - 180,
    region: 'XX',
  }));
