/** The capacity model, and its tables of the measured figures in docs/scaling.md. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assumed, callNames, callsPerSecond, limitsOf, mixedCost, needOf, server } from './model.ts';
import type { CallCost, Figures } from './model.ts';
import { recorded } from './recorded.ts';
import { cellsOf, costTable, limitTable, needTable } from './tables.ts';

const costing = (cost: CallCost): Figures => ({
  ...recorded,
  calls: Object.fromEntries(callNames.map((name) => [name, cost])) as Figures['calls'],
});

test('The part that saturates first determines the calls per second', () => {
  expect(callsPerSecond([{ cores: 4, ms: 1 }])).toBe(4_000);
  expect(
    callsPerSecond([
      { cores: 4, ms: 1 },
      { cores: 1, ms: 0.5 },
    ]),
  ).toBe(2_000);
});

test('Twice the users need twice the cores, calls and disk, and as many processes as cores or streams require', () => {
  const figures = costing({ apiMs: 1, databaseMs: 0.5, bytes: 1_000 });
  expect(mixedCost(figures.calls)).toEqual({ apiMs: 1, databaseMs: 0.5, bytes: 1_000 });
  const [one, two] = [needOf(figures, 1_000_000), needOf(figures, 2_000_000)];
  expect(two.apiCores / one.apiCores).toBeCloseTo(2);
  expect(two.callsPerSecond / one.callsPerSecond).toBeCloseTo(2);
  expect(two.diskGb / one.diskGb).toBeCloseTo(2);
  expect(one.apiCores / one.databaseCores).toBeCloseTo(2);
  expect(one.egressMbit).toBeCloseTo((one.callsPerSecond * 8_000) / 1e6);
  expect(one.apiProcesses).toBe(Math.ceil(one.apiCores));
  const cheap = needOf(costing({ apiMs: 0.01, databaseMs: 0.01, bytes: 1 }), 1_000_000);
  expect(cheap.apiProcesses).toBe((1_000_000 * assumed.activeShare) / assumed.streamsPerProcess);
});

test('A part is saturated at the number of users stated for it', () => {
  const limits = limitsOf(recorded);
  const usersOf = (part: string) => limits.find((limit) => limit.part === part)?.users ?? Number.NaN;
  expect(needOf(recorded, usersOf('the core of an API process')).apiCores).toBeCloseTo(1);
  expect(needOf(recorded, usersOf('one core of the database')).databaseCores).toBeCloseTo(1);
  expect(needOf(recorded, usersOf('the disk')).diskGb).toBeCloseTo(server.diskGb);
  expect(needOf(recorded, usersOf('the network')).egressMbit).toBeCloseTo(server.egressMbit);
  const connected = usersOf('the connections');
  expect(needOf(recorded, connected * 0.999).connections).toBeLessThanOrEqual(server.connections);
  expect(needOf(recorded, connected * 1.001).connections).toBeGreaterThan(server.connections);
});

test('The tables in docs/scaling.md have the latest measured figures and their date', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/scaling.md'), 'utf8');
  const section = text.split('## What a community needs')[1]?.split('\n## ')[0] ?? '';
  const tables = [costTable, needTable, limitTable].flatMap((tableOf) => cellsOf(tableOf(recorded)));
  expect(cellsOf(section.split('\n'))).toEqual(tables);
  expect(section).toContain(recorded.measuredOn);
  expect(section.toLowerCase()).toContain(`${limitsOf(recorded)[0]?.part} fills up first`.toLowerCase());
});
