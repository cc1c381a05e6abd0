import { isNavIdent } from '#domain/navdata/types.ts';
import type { AirwayPoint, NavBand, NavPoint, NavdataSet, NavdataSource } from '#domain/navdata/types.ts';

export interface PointInput {
  ident: string;
  name: string | null;
  band: NavBand;
  frequencyMhz: number | null;
  latitudeDeg: number | null;
  longitudeDeg: number | null;
  region?: string | null;
}

const maxName = 100;

/** A point to store, or the reason for rejecting it. Six decimals of a degree are 0.1 m, four of a MHz 100 Hz. */
const navPoint = (input: PointInput): NavPoint | string => {
  const ident = input.ident.trim().toUpperCase();
  if (!isNavIdent(ident)) return `ident ${ident.slice(0, 12)} is not 1 to 5 letters or digits`;
  const { latitudeDeg, longitudeDeg, frequencyMhz } = input;
  if (latitudeDeg === null || longitudeDeg === null) return `${ident} has no position`;
  if (!(Math.abs(latitudeDeg) <= 90 && Math.abs(longitudeDeg) <= 180)) return `${ident} is out of range`;
  const name = (input.name ?? '').trim().slice(0, maxName);
  return {
    ident,
    name: name === '' ? ident : name,
    band: input.band,
    frequencyMhz:
      frequencyMhz === null || !(frequencyMhz > 0) ? null : Math.round(frequencyMhz * 10_000) / 10_000,
    latitudeDeg: Math.round(latitudeDeg * 1e6) / 1e6,
    longitudeDeg: Math.round(longitudeDeg * 1e6) / 1e6,
    region: input.region?.trim() || null,
  };
};

const keptRejects = 100;

/** Collects points, one per ident and position (the first wins), with a sample of the rejected ones. */
export const pointCollector = () => {
  const points = new Map<string, NavPoint>();
  const rejects: { reason: string; sample: string }[] = [];
  let rejected = 0;
  return {
    add: (input: PointInput, sample: string) => {
      const point = navPoint(input);
      if (typeof point === 'string') {
        rejected += 1;
        if (rejects.length < keptRejects) rejects.push({ reason: point, sample: sample.slice(0, 200) });
        return;
      }
      const key = `${point.ident} ${point.latitudeDeg} ${point.longitudeDeg}`;
      if (!points.has(key)) points.set(key, point);
    },
    set: (source: NavdataSource, cycle: string | null, airways: AirwayPoint[] = []): NavdataSet => ({
      source,
      cycle,
      points: [...points.values()],
      airways,
      rejects,
      rejected,
    }),
  };
};
