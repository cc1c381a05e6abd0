import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chainOf, chainProblem, heirsOf, maxLinks } from './chain.ts';
import type { Base, Link } from './chain.ts';
import { isSameFile, userOfFile } from './file-name.ts';
import { mergeProfiles } from './merge.ts';
import type { JsonObject } from './merge.ts';
import { maxProfileNodes, nodeProblem, profileDataProblem } from './profile-data.ts';
import { isRecord } from '../record.ts';

const jsonObject = fc.dictionary(
  fc.string({ maxLength: 3 }),
  fc.jsonValue({ maxDepth: 4 }),
) as fc.Arbitrary<JsonObject>;

describe('mergeProfiles', () => {
  test('The child takes precedence, siblings are kept, arrays are replaced, and null and unknown keys are kept (M-2.4.k1)', () => {
    const parent = { a: { x: 1, y: { z: 1, w: 2 } }, list: [1, 2, 3], n: 1, o: { deep: 1 }, s: 'text' };
    const child = { a: { y: { z: 9 } }, list: [4], n: null, o: 5, s: { now: 'an object' }, unknown: [{}] };
    expect(mergeProfiles(parent, child)).toEqual({
      a: { x: 1, y: { z: 9, w: 2 } },
      list: [4],
      n: null,
      o: 5,
      s: { now: 'an object' },
      unknown: [{}],
    });
    expect(parent).toEqual({
      a: { x: 1, y: { z: 1, w: 2 } },
      list: [1, 2, 3],
      n: 1,
      o: { deep: 1 },
      s: 'text',
    });
  });

  test('Merging objects is associative at every depth, and merging with an empty object changes nothing', () => {
    fc.assert(
      fc.property(jsonObject, jsonObject, (parent, child) => {
        const merged = mergeProfiles(parent, child);
        expect(mergeProfiles(parent, {})).toEqual(parent);
        expect(mergeProfiles({}, child)).toEqual(child);
        expect(mergeProfiles(merged, child)).toEqual(merged);
        const ofChild = Object.entries(child).filter(([, value]) => !isRecord(value));
        const ofParent = Object.entries(parent).filter(([key]) => !Object.hasOwn(child, key));
        for (const [key, value] of [...ofChild, ...ofParent]) expect(merged[key]).toEqual(value);
      }),
    );
  });

  test('None of 10,000 merges with poisoned keys reaches a prototype', () => {
    const poison = fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'a', 'b');
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constant('polluted'),
        fc.array(fc.tuple(poison, tie('tree')), { maxLength: 4 }).map((entries) => {
          const object: Record<string, unknown> = {};
          for (const [key, value] of entries)
            Object.defineProperty(object, key, {
              value,
              enumerable: true,
              writable: true,
              configurable: true,
            });
          return object;
        }),
      ),
    }));
    fc.assert(
      fc.property(tree, tree, (parent, child) => {
        const merged = mergeProfiles({ parent }, { parent: child });
        expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
        expect([Object.keys(Object.prototype), 'a' in {}, Object.keys(Object)]).toEqual([[], false, []]);
      }),
      { numRuns: 10_000 },
    );
  });
});

describe('profileDataProblem', () => {
  test('Refused keys are found at any depth with their path', () => {
    for (const key of ['__proto__', 'constructor', 'prototype'])
      for (const json of [`{"${key}":1}`, `{"a":{"b":{"${key}":{}}}}`, `{"a":[[{"${key}":1}]]}`])
        expect([json, profileDataProblem(JSON.parse(json))]).toEqual([
          json,
          expect.stringMatching(new RegExp(`${key}: this key is not allowed`)),
        ]);
    expect(profileDataProblem({ a: 'constructor', protos: { proto: 1 } })).toBeNull();
  });

  test('Values are counted up to 200,000, levels up to 64, without recursion', () => {
    const list = (length: number) => Array.from({ length }, () => 0);
    expect(nodeProblem({ list: list(maxProfileNodes - 2) })).toBeNull();
    expect(nodeProblem({ list: list(maxProfileNodes - 1) })).toBe('has more than 200000 values');
    let deep: unknown = 1;
    for (let level = 1; level < 64; level += 1) deep = [deep];
    expect(nodeProblem(deep)).toBeNull();
    expect(nodeProblem([deep])).toMatch(/is nested deeper than 64 levels$/);
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(nodeProblem(deep)).toMatch(/deeper/);
  });
});

describe('inheritance', () => {
  const link = (id: number, baseId: number | null): Link => ({
    id,
    registration: `R${id}`,
    baseId,
    standardId: baseId === null ? 'A320-214' : null,
  });
  const linksOf = (fleet: readonly Link[], profile: Link): number => chainOf(fleet, profile).length;

  test('No sequence of accepted saves makes a cycle or a sixth level (M-2.4.f11, M-8.6)', () => {
    const steps = fc.array(fc.tuple(fc.nat(11), fc.option(fc.nat(11))), { maxLength: 60 });
    fc.assert(
      fc.property(steps, (saves) => {
        let fleet: Link[] = [];
        for (const [id, baseId] of saves) {
          const existing = fleet.find((each) => each.id === id) ?? null;
          const parent = fleet.find((each) => each.id === baseId && each.id !== id);
          const base: Base<Link> = parent
            ? { kind: 'profile', profile: parent }
            : { kind: 'standard', id: 'A320-214' };
          const changed = [...fleet.filter((each) => each.id !== id), link(id, parent?.id ?? null)];
          const isCircle = parent ? chainOf(fleet, parent).some((each) => each.id === id) : false;
          const isDeep = !isCircle && changed.some((each) => linksOf(changed, each) > maxLinks);
          expect(chainProblem(fleet, existing, base)).toBe(isCircle ? 'circle' : isDeep ? 'depth' : null);
          if (!isCircle && !isDeep) fleet = changed;
        }
        for (const each of fleet) {
          expect(chainOf(fleet, each).at(-1)?.standardId).toBe('A320-214');
          const heirs = fleet.filter((other) => other !== each && chainOf(fleet, other).includes(each));
          expect(new Set(heirsOf(fleet, each.id))).toEqual(new Set(heirs));
        }
      }),
    );
  });
});

test('File names are compared without letter case and extension, and include their user', () => {
  expect(isSameFile('User_7_D-ABC.json', 'user_7_d-abc')).toBe(true);
  expect(isSameFile('User_7_D-ABC.json', 'User_77_D-ABC.json')).toBe(false);
  expect(
    ['User_7_X.json', 'USER_12_X', 'User_x_X', 'D-ABC.json', 'User_99999999999_X'].map(userOfFile),
  ).toEqual([7, 12, null, null, null]);
});
