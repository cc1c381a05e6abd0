import { describe, expect, test } from 'vitest';
import { pointAt, wrap360 } from '../airports/geometry.ts';
import { normaliseRunway } from '../airports/runway.ts';
import type { Position, RawRunwayEnd, RunwayEnd } from '../airports/types.ts';
import { exitClass } from './types.ts';
import { computeExits } from './compute.ts';
import type { AerowayMap } from './types.ts';

const threshold: Position = { latitudeDeg: 50, longitudeDeg: 8 };
const bearing = 90;

/** A map drawn in metres along runway 09 and to its right. */
const draw = () => {
  const nodes = new Map<number, Position>();
  const runways: { id: number; name: string | null; nodeIds: number[] }[] = [];
  const taxiways: typeof runways = [];
  let next = 1;
  const node = (along: number, right: number): number => {
    const onAxis = pointAt(threshold, bearing, along);
    const position =
      right === 0 ? onAxis : pointAt(onAxis, wrap360(bearing + (right > 0 ? 90 : -90)), Math.abs(right));
    nodes.set(next, position);
    return next++;
  };
  const runway = (name: string, nodeIds: number[]) => runways.push({ id: next++, name, nodeIds });
  const taxiway = (name: string | null, nodeIds: number[]) => taxiways.push({ id: next++, name, nodeIds });
  const map = (): AerowayMap => ({ nodes, runways, taxiways, timestamp: null });
  return { node, runway, taxiway, map };
};

const tableEnds = (lengthFt: number, displacedFt = 0): RunwayEnd[] => {
  const end = (ident: string, displacedThresholdFt: number): RawRunwayEnd => ({
    ident,
    latitudeDeg: null,
    longitudeDeg: null,
    elevationFt: null,
    headingTrueDeg: null,
    displacedThresholdFt,
  });
  const built = normaliseRunway(
    {
      lengthFt,
      widthFt: 150,
      surfaceText: 'ASP',
      isLighted: true,
      isClosed: false,
      low: end('9', displacedFt),
      high: end('27', 0),
    },
    { fieldElevationFt: 0, variationDeg: 0, latitudeDeg: 40 },
  );
  if ('reject' in built) throw new Error(built.reject);
  return built.ends;
};

const runwayLengthFt = 9_842.52; // 3000 m

const airfield = () => {
  const d = draw();
  const nodes = [0, 1000, 1500, 2000, 3000].map((along) => d.node(along, 0));
  const [start = 0, n1000 = 0, n1500 = 0, n2000 = 0, end = 0] = nodes;
  d.runway('9/27', nodes);
  return { ...d, start, n1000, n1500, n2000, end };
};

test('Right-angle exits, rapid exits and exits to the other side are seen from both ends', () => {
  const a = airfield();
  a.taxiway('B', [a.n1000, a.node(1000, 80)]);
  a.taxiway('C', [a.n1500, a.node(1500, -80)]);
  // 30 degrees towards the far end.
  a.taxiway('D', [
    a.n2000,
    a.node(2000 + 30 / Math.tan(Math.PI / 6), 30),
    a.node(2000 + 90 / Math.tan(Math.PI / 6), 90),
  ]);
  const result = computeExits(a.map(), tableEnds(runwayLengthFt));
  const of = (ident: string) => result.exits.filter((exit) => exit.ident === ident);
  expect(of('09')).toEqual([
    { ident: '09', name: 'B', side: 'right', distanceM: 1000, angleDeg: 90 },
    { ident: '09', name: 'C', side: 'left', distanceM: 1500, angleDeg: 90 },
    { ident: '09', name: 'D', side: 'right', distanceM: 2000, angleDeg: 30 },
  ]);
  // D points back for 27; B and C change their side.
  expect(of('27').map(({ name, side, distanceM }) => [name, side, distanceM])).toEqual([
    ['B', 'left', 2000],
    ['C', 'right', 1500],
  ]);
  expect(result.idents).toEqual(['09', '27']);
});

test('Take-off intersections exclude rapid exits in the same direction and full-length entries, and need a sufficient take-off run', () => {
  const a = airfield();
  a.taxiway('A', [a.start, a.node(0, 80)]);
  a.taxiway('B', [a.n1000, a.node(1000, 80)]);
  a.taxiway('D', [a.n2000, a.node(2052, 30), a.node(2156, 90)]);
  const { intersections } = computeExits(a.map(), tableEnds(runwayLengthFt));
  expect(intersections).toEqual([
    { ident: '09', name: 'B', entryM: 1000 },
    { ident: '27', name: 'B', entryM: 2000 },
    { ident: '27', name: 'D', entryM: 1000 },
  ]);
});

test('The displaced threshold is deducted from the landing distance to an exit', () => {
  const a = airfield();
  a.taxiway('B', [a.n1000, a.node(1000, 80)]);
  const { exits } = computeExits(a.map(), tableEnds(runwayLengthFt, 1_000));
  expect(exits.find((exit) => exit.ident === '09')?.distanceM).toBe(695);
});

test('An unnamed fillet gets the name of the taxiway behind it, and a lead-on line counts where it leaves the runway', () => {
  const a = airfield();
  const join = a.node(1200, 30);
  a.taxiway(null, [a.n1000, a.node(1100, 1), a.node(1160, 12), join]);
  a.taxiway('E11', [join, a.node(1300, 80)]);
  const { exits } = computeExits(a.map(), tableEnds(runwayLengthFt));
  const [exit] = exits.filter(({ ident }) => ident === '09');
  expect(exit).toMatchObject({ name: 'E11', distanceM: 1100 });
  expect(exit?.angleDeg).toBeLessThan(45);
});

test('At a fork the straightest way is followed, and a dead end is not an exit', () => {
  const a = airfield();
  const fork = a.node(1000, 40);
  a.taxiway('B', [a.n1000, fork, a.node(1000, 90)]);
  a.taxiway('P', [a.node(900, 41), fork, a.node(1100, 41)]);
  a.taxiway('X', [a.n1500, a.node(1500, 30)]);
  const { exits } = computeExits(a.map(), tableEnds(runwayLengthFt));
  expect(exits.map((exit) => exit.name)).toEqual(['B', 'B']);
});

describe('plausibility checks', () => {
  test('A runway with another length gives no exits', () => {
    const a = airfield();
    a.taxiway('B', [a.n1000, a.node(1000, 80)]);
    const result = computeExits(a.map(), tableEnds(10_100));
    expect(result).toMatchObject({
      idents: [],
      exits: [],
      intersections: [],
    });
    expect(computeExits(a.map(), tableEnds(10_030)).idents).toEqual(['09', '27']);
  });

  test('A runway missing on the map gives no exits', () => {
    expect(computeExits(draw().map(), tableEnds(runwayLengthFt))).toMatchObject({ idents: [], exits: [] });
  });
});

test('Exits are classified by angle', () => {
  expect([21, 45, 46, 75, 90, 105, 120].map(exitClass)).toEqual([
    'high',
    'high',
    'mid',
    'mid',
    'right',
    'right',
    'reverse',
  ]);
  expect(exitClass(null)).toBe('unknown');
});
