import { expect, test } from 'vitest';
import { addSeconds } from '#domain/time.ts';
import { backupNameOf, expiredBackups, timeOf } from './place.ts';

const now = new Date('2026-11-23T06:23:10Z');
const hour = 3_600;

test('Every backup of the last two days is kept, of earlier days the last one, and none beyond the given days', () => {
  const times = Array.from({ length: 4 * 20 }, (_, i) => addSeconds(now, -i * 6 * hour));
  const names = times.map(backupNameOf);
  expect(names[0]).toBe('efb-20261123T062310Z.tar.zst');
  expect(timeOf('efb-20261123T062310Z.tar.zst')).toEqual(now);
  const expired = new Set(expiredBackups([...names, 'notes.txt'], now));
  const kept = names.filter((name) => !expired.has(name)).map((name) => name.slice(8, 15));
  const young = [
    '1123T06',
    '1123T00',
    '1122T18',
    '1122T12',
    '1122T06',
    '1122T00',
    '1121T18',
    '1121T12',
    '1121T06',
  ];
  const lastOfDay = Array.from({ length: 12 }, (_, i) => `11${String(20 - i).padStart(2, '0')}T18`);
  expect(kept).toEqual([...young, ...lastOfDay]);
  expect(expired).not.toContain('notes.txt');
});
