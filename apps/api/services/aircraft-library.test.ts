import { beforeAll, describe, expect, test } from 'vitest';
import { loadProfiles } from '#data/aircraft/profiles.ts';
import { createLogger } from '#platform/log/log.ts';
import type { ReadDb } from '#store/postgres/sql.ts';
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { UnavailableError } from '#domain/errors.ts';
import type { Fleet, FleetProfile } from '#domain/fleet/types.ts';
import { createAircraftLibrary } from './aircraft-library.ts';
import { createFleets } from './fleets.ts';
import { standardAircraftOf } from './standard-aircraft.ts';

let a320: AircraftProfile;
beforeAll(async () => {
  const found = (await loadProfiles(() => [])).get('A320-214');
  if (!found) throw new Error('no A320-214');
  a320 = found;
});

/** The A320, once called A320. */
const standard = () => standardAircraftOf(new Map([['A320-214', { ...a320, formerIds: ['A320'] }]]));

const row = (id: number, key: string, base: Partial<FleetProfile> = {}): FleetProfile => ({
  id,
  userId: 7,
  vaId: null,
  vaName: null,
  registration: `R${id}`,
  baseId: null,
  standardId: 'A320',
  basedOnProfile: 'A320',
  key,
  flightSim: null,
  addon: null,
  variant: null,
  engines: null,
  engineTimeLimitS: null,
  isShared: false,
  isRecommended: false,
  updatedAt: new Date(0),
  revision: 1,
  ...base,
});

const json = (mslw: number) => Buffer.from(JSON.stringify({ weight: { mslw } }));
const log = createLogger('test', 'silent');

/** Files by key, and how often each was read. */
const filesOf = (files: Record<string, Buffer>) => {
  const reads: string[] = [];
  const get = (key: string) => {
    reads.push(key);
    return Promise.resolve(files[key] ?? null);
  };
  return { reads, fleets: createFleets(standard(), { get }, log) };
};

describe('standard aircraft', () => {
  test('A renamed standard aircraft is also found by its former id and returned under its current one', () => {
    for (const id of ['A320', 'A320-214']) expect(standard().find(id)?.file).toBe('A320-214');
    expect(standard().named(' a320 ')?.file).toBe('A320-214');
    expect(standard().find('a320')).toBeNull();
    const twice = new Map([
      ['A320-214', a320],
      ['X', { ...a320, id: 'X', formerIds: ['A320-214'] }],
    ]);
    expect(() => standardAircraftOf(twice)).toThrow('two standard aircraft have the id A320-214');
  });
});

describe('fleets', () => {
  test('A profile based on a former id is merged and read once, and cached until it or a parent is saved again', async () => {
    const { reads, fleets } = filesOf({
      a: json(64_000),
      b: json(65_000),
      c: Buffer.from('{"weight":{"oew":41000}}'),
    });
    const before: Fleet = [row(1, 'a'), row(2, 'c', { baseId: 1, standardId: null })];
    const heirOf = (fleet: Fleet) => fleets.aircraftOf(fleet, fleet[1] ?? row(0, ''));
    const first = await heirOf(before);
    expect(first).toMatchObject({ profile: { weight: { mslw: 64_000, oew: 41_000 } } });
    expect(await heirOf([...before])).toBe(first);
    expect(reads.toSorted()).toEqual(['a', 'c']);
    const after = await heirOf([row(1, 'b'), row(2, 'c', { baseId: 1, standardId: null })]);
    expect(after).toMatchObject({ profile: { weight: { mslw: 65_000, oew: 41_000 } } });
    expect(reads.toSorted()).toEqual(['a', 'b', 'c']);
  });

  test('An unreachable store fails a list of entries, and the next call asks it again', async () => {
    let isAway = true;
    const away = new UnavailableError('files', { reason: 'unreachable', code: 'X', retryAfterSeconds: 1 });
    const get = () => (isAway ? Promise.reject(away) : Promise.resolve(json(64_000)));
    const fleets = createFleets(standard(), { get }, log);
    const fleet = [row(1, 'a')];
    await expect(fleets.entriesOf(fleet)).rejects.toBe(away);
    isAway = false;
    expect(await fleets.entriesOf(fleet)).toMatchObject([{ profile: { userRegistration: 'R1' } }]);
  });
});

describe('the library', () => {
  const caller = { userId: 7, vaIds: [], vaAdmin: null };
  const find = async (versions: readonly string[]) => {
    const { fleets } = filesOf({ new: json(65_000) });
    let loads = 0;
    const any = () => Promise.resolve([row(1, versions[(loads += 1) - 1] ?? '')]);
    const db = { any } as unknown as ReadDb;
    const library = createAircraftLibrary(standard(), fleets, db);
    const key = { file: 'User_7_R1.json', userRegistration: 'R1', virtualAirline: null };
    return library.find(key, caller);
  };

  test('A file replaced after its row was read is found by reading the row again', async () => {
    expect(await find(['old', 'new'])).toMatchObject({ profile: { weight: { mslw: 65_000 } } });
    await expect(find(['old', 'old'])).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  });
});
