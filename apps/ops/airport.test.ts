import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { airportRepo } from '#store/postgres/airports/airports.ts';
import { runwayEndOf } from '#domain/airports/served.ts';
import { testContext, testFolder } from '#test/harness.ts';
import type { TestContext } from '#test/harness.ts';
import { importAirports } from '#test/support/airports.ts';
import { ops as opsOf } from '#test/support/ops.ts';

let t: TestContext;
let folder: string;
beforeAll(async () => {
  t = await testContext();
  folder = await testFolder();
  await importAirports(t, ['KBOS']);
});
afterAll(() => t.close());

const ops = (line: string, ...more: string[]) => opsOf(t, line, ...more);
const known = async () => (await airportRepo(t.postgres.db).known(['KBOS'])).get('KBOS');
const end = async (ident: string) => {
  const airport = await known();
  return airport ? runwayEndOf(airport, ident) : null;
};

test('Parts of an entry are set and cleared independently, and clearing the last one deletes the entry (G-05)', async () => {
  const before = await end('04R');
  await ops(
    'airport runway set --icao kbos --runway 4R --efp-turn left --efp-text',
    'At 1000 ft turn left heading 030',
  );
  await ops('airport runway set --icao KBOS --runway 04R --lda-m 2500');
  await ops('airport runway set --icao KBOS --runway 04R --macg-percent 4.5');
  expect(await end('04R')).toMatchObject({
    efpKind: 'custom',
    efpText: 'At 1000 ft turn left heading 030',
    efpTurn: 'left',
    macgPercent: 4.5,
  });
  expect(await end('04R')).not.toEqual(before);
  const again = await ops('airport runway set --icao KBOS --runway 04R --macg-percent 4.5 --json');
  expect(again.json).toMatchObject({ ok: true, changed: false, entry: { ldaM: 2500, macgPercent: 4.5 } });

  const cleared = await ops('airport runway set --json --icao KBOS --runway 04R --efp-text', '');
  expect(cleared.json).toMatchObject({
    entry: { efpKind: 'std', efpText: null, ldaM: 2500, macgPercent: 4.5 },
  });
  await ops('airport runway set --icao KBOS --runway 04R --is-closed yes');
  expect(await end('04R')).toMatchObject({ isClosed: true });
  await ops('airport runway set --icao KBOS --runway 04R --is-closed', '');
  expect(await end('04R')).toMatchObject({ isClosed: false, macgPercent: 4.5 });
  await ops('airport runway set --icao KBOS --runway 04R --lda-m', '');
  const last = await ops('airport runway set --json --icao KBOS --runway 04R --macg-percent', '');
  expect(last.json['entry']).toBeNull();
  expect(await end('04R')).toEqual(before);
});

test('Invalid input is refused with the matching exit status', async () => {
  const unknown = await ops('airport runway set --icao KBOS --runway 18 --macg-percent 3 --json');
  expect([unknown.status, unknown.json]).toMatchObject([
    1,
    { ok: false, error: { code: 'RUNWAY_NOT_FOUND' } },
  ]);
  for (const line of [
    'airport runway set --icao KBOS --runway 04R --macg-percent 16',
    'airport runway set --icao KBOS --runway XX --macg-percent 3',
    'airport runway set --icao KBOS --runway 04R',
    'airport runway set --icao KBOS --runway 04R --is-closed perhaps',
    'airport runway set --icao KBOS --runway 04R --lda-m long',
    'airport runway set --icao KBOS --runway 04R --lda-m 50',
    'airport exits set --icao KBOS --runway 04R --name A --distance-m 900 --side up',
  ]) {
    expect([line, (await ops(line)).status]).toEqual([line, 2]);
  }
  const long = await ops('airport runway set --icao KBOS --runway 04R --efp-text', 'x'.repeat(4_001));
  expect(long.status).toBe(2);
  expect((await ops('airport list --json')).json['runways']).toEqual([]);
});

test('Exits are set individually and as CSV, exported and imported again', async () => {
  await ops(
    'airport exits set --icao KBOS --runway 04R --name n2 --distance-m 1500 --side left --angle-deg 30',
  );
  const exits = async () => (await known())?.exits;
  expect(await exits()).toContainEqual(
    expect.objectContaining({ ident: '04R', name: 'N2', source: 'operator', distanceM: 1500, side: 'left' }),
  );
  const path = join(folder, 'exits.csv');
  expect((await ops(`airport export --kind exits --file ${path} --json`)).json).toMatchObject({ rows: 1 });
  const printed = await ops('airport export exits');
  expect(`${printed.out}\n`).toBe(await readFile(path, 'utf8'));
  expect((await ops('airport exits remove --icao KBOS --runway 04R --name N2')).status).toBe(0);
  expect((await ops('airport exits remove --icao KBOS --runway 04R --name N2')).status).toBe(1);
  expect((await ops(`airport import --file ${path} --json`)).json).toMatchObject({
    ok: true,
    stored: 1,
    rejects: [],
  });
  expect(await exits()).toContainEqual(expect.objectContaining({ name: 'N2', source: 'operator' }));
  await ops('airport exits remove --icao KBOS --runway 04R --name N2');
});

test('Runways are imported from CSV, invalid rows are named, an unknown column changes nothing, and the export has what is stored', async () => {
  const path = join(folder, 'runways.csv');
  await writeFile(path, 'icao,ident,lda_m\nKBOS,04R,2400\nKBOS,99,2400\n');
  const right = await ops(`airport import --file ${path} --json`);
  expect(right.json).toMatchObject({ kind: 'runways', rows: 2, stored: 1, rejects: [{ line: 3 }] });
  expect((await ops('airport export runways')).out).toContain('KBOS,04R,,,,2400');
  expect((await ops('airport import --file /nowhere/at/all.csv --json')).json['ok']).toBe(false);
  await writeFile(path, 'icao,ident,lda\nKBOS,04R,2300\n');
  const misspelt = await ops(`airport import --file ${path}`);
  expect(misspelt).toMatchObject({ status: 1, err: expect.stringContaining('unknown column lda') });
  expect((await ops('airport export runways')).out).toContain('KBOS,04R,,,,2400');
});
