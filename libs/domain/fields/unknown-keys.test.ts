import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { landingRequestSchema } from '../performance/request.ts';
import { windAloftInputSchema } from '../winds/wind-aloft.ts';
import { nearestIcaos } from '../airports/nearest-icaos.ts';
import { closeName, closeNames, editDistance } from './nearest.ts';
import { parseKnown } from './parse.ts';
import { ignoredLines, maxNamed, refusedLines, unknownKeys } from './unknown-keys.ts';

const pairs = (schema: z.ZodType, data: unknown) =>
  unknownKeys(schema, data).named.map(({ path, nearest }) => [path, nearest]);
const paths = (schema: z.ZodType, data: unknown) => unknownKeys(schema, data).named.map(({ path }) => path);

const pointSchema = z.strictObject({ x: z.number(), y: z.number().optional() });
const at = { x: 1 };
const stray = { x: 1, z: 2 };

describe('keys unknown to a schema', () => {
  test.each([
    ['an object', pointSchema, stray, ['z']],
    ['nothing unknown', pointSchema, at, []],
    ['not an object at all', pointSchema, 7, []],
    ['nested', z.strictObject({ p: pointSchema }), { p: stray }, ['p.z']],
    ['optional', z.strictObject({ p: pointSchema.optional() }), { p: stray }, ['p.z']],
    ['nullable with null', z.strictObject({ p: pointSchema.nullable() }), { p: null }, []],
    ['nullable', z.strictObject({ p: pointSchema.nullable().default(null) }), { p: stray }, ['p.z']],
    ['prefault', z.strictObject({ p: pointSchema.prefault(at) }), { p: stray }, ['p.z']],
    ['readonly', z.strictObject({ p: pointSchema.readonly() }), { p: stray }, ['p.z']],
    ['a list', z.array(pointSchema), [at, stray, at, stray], ['1.z', '3.z']],
    ['a tuple with a rest', z.tuple([pointSchema], pointSchema), [at, stray, stray], ['1.z', '2.z']],
    ['a tuple', z.tuple([pointSchema, z.int()]), [stray, 1], ['0.z']],
    ['the values of a record', z.record(z.string(), pointSchema), { a: at, b: stray }, ['b.z']],
    ['the keys of a record', z.record(z.string(), z.int()), { whatever: 1 }, []],
    ['unknown', z.strictObject({ p: z.unknown() }), { p: stray }, []],
    ['a loose object', z.looseObject({ p: pointSchema }), { p: stray, q: 1 }, ['p.z']],
    ['a catchall', z.strictObject({ a: z.int() }).catchall(pointSchema), { a: 1, b: stray }, ['b.z']],
    ['a pipe', z.unknown().pipe(pointSchema), stray, ['z']],
    ['a pipe of two objects', z.strictObject({ x: z.int() }).pipe(pointSchema), { x: 1, y: 2 }, ['y']],
    ['a pipe, each key once', pointSchema.pipe(pointSchema), stray, ['z']],
    ['a transform', pointSchema.transform(({ x }) => x), stray, ['z']],
    [
      'behind a transform',
      pointSchema.transform(() => ({ w: 1 })).pipe(z.strictObject({ w: z.int() })),
      { x: 1 },
      [],
    ],
    ['a preprocess', z.preprocess(() => at, pointSchema), { w: 1 }, []],
    [
      'an intersection',
      z.intersection(z.strictObject({ a: z.int() }), z.strictObject({ b: z.int() })),
      { a: 1, b: 2, c: 3 },
      ['c'],
    ],
  ])('%s', (_, schema, data, expected) => {
    expect(parseKnown(schema, data).parsed.success).toBe(_ !== 'not an object at all');
    expect(paths(schema, data)).toEqual(expected);
  });

  test('A union reports by the option that accepts the value', () => {
    const shapeSchema = z.union([
      z.strictObject({ kind: z.literal('circle'), r: z.number() }),
      z.strictObject({ kind: z.literal('box'), w: z.number() }),
      z.string(),
    ]);
    expect(paths(shapeSchema, { kind: 'box', w: 1, r: 2 })).toEqual(['r']);
    expect(paths(shapeSchema, { kind: 'circle', r: 1, w: 2 })).toEqual(['w']);
    expect(paths(shapeSchema, 'circle')).toEqual([]);
    const taggedSchema = z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('a'), a: z.int().optional() }),
      z.strictObject({ kind: z.literal('b'), b: z.int().optional() }),
    ]);
    expect(
      paths(z.array(taggedSchema), [
        { kind: 'a', b: 1 },
        { kind: 'b', b: 1 },
      ]),
    ).toEqual(['0.b']);
  });

  test('Names of the prototype are ordinary keys', () => {
    const poisoned: unknown = JSON.parse('{"x":1,"__proto__":{"a":1},"constructor":2,"toString":3}');
    expect(paths(pointSchema, poisoned)).toEqual(['__proto__', 'constructor', 'toString']);
  });
});

describe('the nearest known key', () => {
  const request = {
    requestType: 'LANDING',
    aircraft: { file: 'A320-214' },
    airport: 'KJFK',
    runway: '04L',
  };
  test.each([
    [{ runwayCondition: { condition: 'WET' } }, 'runwayCondition.condition', 'runwayCondition.state'],
    [{ weather: { temprature: 15 } }, 'weather.temprature', 'weather.temperature'],
    [{ weather: { temp: 15 } }, 'weather.temp', 'weather.temperature'],
    [{ weather: { wind_speed: 15 } }, 'weather.wind_speed', 'weather.windSpeed'],
    [{ temperature: 15 }, 'temperature', 'weather.temperature'],
    [{ landingWeight: 60_000 }, 'landingWeight', 'weight.landingWeight'],
    [{ configuration: { flaps: '30' } }, 'configuration.flaps', 'configuration.flap'],
    [{ configuration: { mel: [] } }, 'configuration.mel', 'inopItems.mel'],
    [{ runwayConditions: { state: 'WET' } }, 'runwayConditions', 'runwayCondition'],
    [{ Weather: {} }, 'Weather', 'weather'],
    [{ notam: { shortenedStart: 300 } }, 'notam.shortenedStart', 'notam.shortenStart'],
    [{ units: { speed: 'kt' } }, 'units.speed', 'units.wind'],
  ])('A landing request with %j gets the nearest known key', (more, path, nearest) => {
    const data = { ...request, ...more };
    expect(parseKnown(landingRequestSchema, data).parsed.success).toBe(true);
    expect(pairs(landingRequestSchema, data)).toEqual([[path, nearest]]);
  });

  test('A complete request has no unknown key', () => {
    const data = { ...request, weather: { qnh: 1013 }, inopItems: { mel: [], cdl: [] }, notam: null };
    expect(unknownKeys(landingRequestSchema, data)).toEqual({ named: [], more: 0 });
  });

  test('Keys inside list entries are named, and a misplaced one is found inside the list', () => {
    const waypoints = [{ latitude: 1, longitude: 2, cruiseLevel: 350, lat: 1, time: 0 }];
    expect(pairs(windAloftInputSchema, { waypoints, cruiseLevel: 350 })).toEqual([
      ['waypoints.0.lat', 'waypoints.0.latitude'],
      ['waypoints.0.time', null],
      ['cruiseLevel', 'waypoints[].cruiseLevel'],
    ]);
  });

  test('A value with fields that Zod cannot compare fits no key', () => {
    const choiceSchema = z.enum(['A', 'B']).optional();
    const data = { zz: { length: { toString: 1 } } };
    expect(pairs(z.strictObject({ name: choiceSchema, ...pointSchema.partial().shape }), data)).toEqual([
      ['zz', null],
    ]);
  });

  test('For a name unlike any other up to twelve known keys are shown', () => {
    const known = Object.fromEntries(Array.from({ length: 14 }, (_, i) => [`known${i}`, z.int().optional()]));
    expect(refusedLines(unknownKeys(z.strictObject(known), { frob: 1 }))).toEqual([
      'frob: is not known; known here: known0, known1, known2, known3, known4, known5, known6, known7, known8, known9, known10, known11, …',
    ]);
    expect(ignoredLines(unknownKeys(pointSchema, { x: 1, frob: 2 }))).toEqual([
      'frob is not known and was ignored; known here: x, y',
    ]);
  });

  test('There is no suggestion where no key is known', () => {
    expect(pairs(z.strictObject({}), { icao: 'KJFK' })).toEqual([['icao', null]]);
  });

  test('Among many names the closest come first', () => {
    const files = ['737-800-7B26', '737-800-7B24', '737-900ER-7B26', 'A320-251N', 'A320-214'];
    expect(closeNames('737-800-7B25', files)).toEqual(['737-800-7B26', '737-800-7B24', '737-900ER-7B26']);
    expect(closeNames('A320', files, 1)).toEqual(['A320-214']);
    expect(closeNames('Concorde', files)).toEqual([]);
  });

  test('A mistyped ICAO code is matched by swapped letters, then country, then long runways', () => {
    const airports = [
      ['KJFK', 4_442],
      ['KJFX', 900],
      ['KXFK', 3_000],
      ['KZFK', 3_500],
      ['EDDF', 4_000],
    ] as const;
    const known = airports.map(([icao, longestRunwayM]) => ({ icao, longestRunwayM }));
    expect(nearestIcaos('KJKF', known)).toEqual(['KJFK']);
    expect(nearestIcaos('KJFA', known)).toEqual(['KJFK', 'KJFX']);
    expect(nearestIcaos('KAFK', known)).toEqual(['KJFK', 'KZFK', 'KXFK']);
    expect(nearestIcaos('QQQQ', known)).toEqual([]);
  });

  test('Typos are close, other names are not', () => {
    expect(
      ['tempreature', 'TEMPERATURE', 'temp', 'heading'].map((name) => closeName(name, ['temperature'])),
    ).toEqual(['temperature', 'temperature', 'temperature', null]);
    expect(closeName('qhn', ['wind', 'qnh', 'temperature'])).toBe('qnh');
    expect(closeName('x', [])).toBeNull();
    expect([editDistance('', 'abc'), editDistance('abc', ''), editDistance('kitten', 'sitting')]).toEqual([
      3, 3, 3,
    ]);
  });
});

describe('messages about unknown keys', () => {
  test('Unknown keys are described as ignored or as refused', () => {
    const found = unknownKeys(landingRequestSchema, { runwayCondition: { condition: 'WET' } });
    expect(ignoredLines(found)).toEqual([
      'runwayCondition.condition is not known and was ignored; did you mean runwayCondition.state?',
    ]);
    expect(refusedLines(found)).toEqual([
      'runwayCondition.condition: is not known; did you mean runwayCondition.state?',
    ]);
    expect(ignoredLines(unknownKeys(z.strictObject({}), { a: 1 }))).toEqual([
      'a is not known and was ignored.',
    ]);
  });

  test('The number of reported keys is bounded, and the rest is counted', () => {
    const data = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`key${i}`, i]));
    const found = unknownKeys(landingRequestSchema, data);
    expect(found.named).toHaveLength(maxNamed);
    expect(ignoredLines(found).at(-1)).toBe('and 280 more');
    expect(refusedLines(found)).toHaveLength(maxNamed + 1);
  });

  test('The length of a reported key is bounded, and it remains storable text', () => {
    const long = 'k'.repeat(100_000);
    const data = { [long]: 1, ['😀'.repeat(100)]: 1, '\ud800': 1, 'a\u0000b\nc': 1 };
    const named = paths(z.strictObject({ known: z.int().optional() }), data);
    expect(named).toEqual([`${'k'.repeat(60)}…`, `${'😀'.repeat(60)}…`, '\ufffd', 'a\ufffdb\ufffdc']);
  });

  test('A very large number of unknown keys is counted completely', () => {
    const data = Object.fromEntries(Array.from({ length: 150_000 }, (_, i) => [`key${i}`, i]));
    const found = unknownKeys(landingRequestSchema, data);
    expect(ignoredLines(found).at(-1)).toBe('and 149980 more');
    const entries = Array.from({ length: 5_000 }, () => ({ x: 1, z: 2 }));
    expect(unknownKeys(z.array(pointSchema), entries)).toMatchObject({ more: 5_000 - maxNamed });
  });
});
