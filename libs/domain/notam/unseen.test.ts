import { describe, expect, test } from 'vitest';
import { sharedData } from '#test/support/shared-data.ts';
import { parseNotamTexts } from './parse.ts';
import { parseSchedule } from './schedule.ts';
import type { Notam, RunwayEffect } from './types.ts';

/** Real NOTAM labelled by a person with their runway effects, one JSON document per line. */
interface Labelled {
  source: string;
  raw: string;
  /** The text given to the parser, if it is not `raw`. */
  fed: string | null;
  expectedEffects: string[];
}

const data = sharedData('notam');

const labelOf = (effect: RunwayEffect): string[] => {
  const surface = 'surface' in effect && effect.surface !== undefined ? ` ${effect.surface}` : '';
  const suffix = `${surface}${effect.condition === undefined ? '' : ' ?'}`;
  if (effect.kind === 'closed') return [`closed ${effect.runway} ${effect.use}${suffix}`];
  if (effect.kind === 'allRunwaysClosed' || effect.kind === 'aerodromeClosed')
    return [`${effect.kind} ${effect.use}${suffix}`];
  if (effect.kind === 'declaredDistance')
    return [`${effect.distance} ${effect.runway} ${effect.valueM}${suffix}`];
  if (effect.kind === 'shortened')
    return [`shortened ${effect.runway} ${effect.end} ${effect.lengthM}${suffix}`];
  // Exits and intersections are not effects on the runway itself.
  return effect.kind === 'displaced' ? [`displaced ${effect.runway} ${effect.byM}${suffix}`] : [];
};

const isCertain = (label: string): boolean => !label.endsWith(' ?');
const isDistance = (label: string): boolean => /^(?:TORA|TODA|ASDA|LDA|displaced|shortened) /.test(label);
/** The share of hits; 1 without any. */
const share = (hits: readonly boolean[]): number =>
  hits.length === 0 ? 1 : hits.filter(Boolean).length / hits.length;

describe.each([
  ['first set', 'unseen-labelled.jsonl', 658, 9, 0.95],
  ['second set', 'unseen-labelled-2.jsonl', 208, 5, 0.99],
])('labelled NOTAM not used in development, %s', (_name, name, texts, textsReduced, leastShare) => {
  const rows = data.lines(name).map((line) => JSON.parse(line) as Labelled);
  const read = rows.map(({ fed, raw, expectedEffects }) => {
    const records: Notam[] = parseNotamTexts(fed ?? raw).records;
    return {
      raw,
      expected: expectedEffects.map((label) => label.replace(' (conditional)', ' ?')),
      found: records.flatMap(({ effects }) => effects.flatMap(labelOf)),
      isFlagged: records.some(({ flags }) => flags.length > 0),
      isRead: records.length > 0,
    };
  });

  test('No effect is wrong, nearly all are found, and the others are flagged', () => {
    expect(rows).toHaveLength(data.either(texts, textsReduced));
    const found = read.flatMap((row) =>
      row.expected.filter(isCertain).map((label) => row.found.includes(label)),
    );
    const distances = read.flatMap((row) =>
      row.expected.filter(isDistance).map((label) => row.found.includes(label)),
    );
    const missed = read.filter((row) => row.expected.some((label) => !row.found.includes(label)));
    console.log(
      `unseen NOTAM (${name}): ${rows.length} texts, ${found.filter(Boolean).length} of ${found.length} certain effects, ` +
        `${distances.filter(Boolean).length} of ${distances.length} distances found`,
    );
    const wrong = read.filter((row) => row.found.some((label) => !row.expected.includes(label)));
    expect(wrong.map(({ raw, found: labels }) => [raw, labels])).toEqual([]);
    expect(share(found)).toBeGreaterThanOrEqual(leastShare);
    expect(share(distances)).toBeGreaterThanOrEqual(0.9);
    expect(missed.filter(({ isFlagged }) => !isFlagged)).toEqual([]);
  });

  test('Every numbered text is read', () => {
    const hasNumber = /^\s*(?:!|\(?[A-Z]\d{4}\/\d{2}|\d{1,2}\/\d{3,5} NOTAM)/;
    const unread = read.filter(({ raw, isRead }) => hasNumber.test(raw) && !isRead);
    expect(unread.map(({ raw }) => raw)).toEqual([]);
  });
});

test('Four of five unusual schedules are read', () => {
  const schedules = data.lines('schedules-not-read.txt');
  expect(schedules.length).toBeGreaterThan(5);
  expect(share(schedules.map((line) => parseSchedule(line) !== null))).toBeGreaterThanOrEqual(0.8);
});
