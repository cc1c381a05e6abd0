import { expect, test } from 'vitest';
import { profileText, readProfile } from './profile-file.ts';

test('The calibration writes short lists and objects of a profile on one line', async () => {
  const item = { code: '32-42-01', factor: 1.1 };
  const long = Array.from({ length: 30 }, (_, index) => 1000 + index);
  const text = await profileText({ id: 'X', items: [item], long });
  expect(text).toContain('"items": [{ "code": "32-42-01", "factor": 1.1 }],\n');
  expect(text.split('\n').every((line) => line.length <= 110)).toBe(true);
  expect(JSON.parse(text)).toStrictEqual({ id: 'X', items: [item], long });
});

test('Rewriting a profile of the repository changes only what was edited', async () => {
  const json = await readProfile('A320-251N');
  const changed = await profileText({ ...json, id: 'changed' });
  const before = (await profileText(json)).split('\n');
  expect(changed.split('\n').filter((line, index) => line !== before[index])).toStrictEqual([
    '  "id": "changed",',
  ]);
});
