import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parseNotamTexts } from './parse.ts';
import type { Notam, RunwayEffect } from './types.ts';

/** Real NOTAM with the runway effects that a person expects, one JSON document a line. */
interface Labelled {
  source: string;
  raw: string;
  /** The text as it reaches the parser, where it is not `raw`. */
  fed: string | null;
  expectedEffects: string[];
}

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const file = resolve(root, process.env.SHARED_DATA ?? '../shared/data', 'notam/unseen-labelled.jsonl');
const isPresent = existsSync(file);
const skipReason = isPresent ? '' : ` (skipped: ${file} is not here)`;

const labelOf = (effect: RunwayEffect): string[] => {
  const suffix = effect.condition === undefined ? '' : ' (conditional)';
  if (effect.kind === 'closed') return [`closed ${effect.runway} ${effect.use}${suffix}`];
  if (effect.kind === 'allRunwaysClosed' || effect.kind === 'aerodromeClosed')
    return [`${effect.kind} ${effect.use}${suffix}`];
  if (effect.kind === 'declaredDistance')
    return [`${effect.distance} ${effect.runway} ${effect.valueM}${suffix}`];
  if (effect.kind === 'shortened') return [`${effect.end} ${effect.runway} ${effect.lengthM}${suffix}`];
  // Exits and intersections are no effects on the runway itself.
  return effect.kind === 'displaced' ? [`displaced ${effect.runway} ${effect.byM}${suffix}`] : [];
};

const isCertain = (label: string): boolean => !label.endsWith('(conditional)');

describe.skipIf(!isPresent)(`unseen labelled NOTAM${skipReason}`, () => {
  const rows = isPresent
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Labelled)
    : [];
  const read = rows.map(({ fed, raw, expectedEffects }) => {
    const records: Notam[] = parseNotamTexts(fed ?? raw).records;
    return {
      raw,
      expected: expectedEffects,
      found: records.flatMap(({ effects }) => effects.flatMap(labelOf)),
      isFlagged: records.some(({ flags }) => flags.length > 0),
      isRead: records.length > 0,
    };
  });

  test('No effect is wrong, at least 95 % of what is certain is found, and the rest is flagged', () => {
    const wrong = read.filter(({ expected, found }) => found.some((label) => !expected.includes(label)));
    const missed = read.filter(({ expected, found }) => expected.some((label) => !found.includes(label)));
    const certain = read.flatMap(({ expected, found }) =>
      expected.filter(isCertain).map((label) => found.includes(label)),
    );
    const hits = certain.filter(Boolean).length;
    console.log(
      `unseen NOTAM: ${rows.length} texts, ${rows.flatMap((row) => row.expectedEffects).length} effects, ` +
        `${wrong.length} texts with a wrong one, ${hits} of ${certain.length} certain ones found, ` +
        `${missed.length} texts with a missing one`,
    );
    expect(wrong.map(({ raw, found }) => [raw, found])).toEqual([]);
    expect(hits / certain.length).toBeGreaterThanOrEqual(0.95);
    expect(missed.filter(({ isFlagged }) => !isFlagged)).toEqual([]);
  });

  test('Every text with a number is read', () => {
    const hasNumber = /^\s*(?:!|\(?[A-Z]\d{4}\/\d{2}|\d{1,2}\/\d{3,5} NOTAM)/;
    const unread = read.filter(({ raw, isRead }) => hasNumber.test(raw) && !isRead);
    expect(unread.map(({ raw }) => raw)).toEqual([]);
  });
});
