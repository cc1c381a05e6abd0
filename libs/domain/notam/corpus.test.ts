import { describe, expect, test } from 'vitest';
import { isDeep } from '#test/support/deep.ts';
import { sharedData } from '#test/support/shared-data.ts';
import { effectsAt } from '#test/support/notam-runway.ts';
import { readEffects } from './effects.ts';
import { parseNotamTexts } from './parse.ts';
import type { Notam, RunwayEffect } from './types.ts';

const data = sharedData('airports/notam');

interface Expected {
  closed: string[];
  closedTakeoff: string[];
  closedLanding: string[];
  closedExits: string[];
  distancesM: Record<string, Record<string, number>>;
  shortenStartM: Record<string, number>;
  shortenEndM: Record<string, number>;
  intersectionDistancesM: Record<string, Record<string, number>>;
  allRunwaysClosed: boolean;
  aerodromeClosed: boolean;
  review: boolean;
}
interface Case {
  id: string;
  airport: string;
  qCode: string;
  schedule: string | null;
  text: string;
  expected: Expected;
}

/** Runways of the two aerodromes whose labels name every runway as closed. */
const publishedIdents: Record<string, string[]> = {
  EGLL: ['09L', '27R', '09R', '27L'],
  EPRU: ['08L', '26R', '08R', '26L'],
};

/** One text per fact in a label, so that precision and recall count facts. */
const factsOfLabel = (expected: Expected): string[] => [
  ...expected.closed.map((r) => `closed ${r}`),
  ...expected.closedTakeoff.map((r) => `takeoff ${r}`),
  ...expected.closedLanding.map((r) => `landing ${r}`),
  ...expected.closedExits.map((e) => `exit ${e}`),
  ...Object.entries(expected.distancesM).flatMap(([r, d]) =>
    Object.entries(d).map(([k, v]) => `${k} ${r} ${v}`),
  ),
  ...Object.entries(expected.shortenStartM).map(([r, v]) => `start ${r} ${v}`),
  ...Object.entries(expected.shortenEndM).map(([r, v]) => `end ${r} ${v}`),
  ...Object.entries(expected.intersectionDistancesM).flatMap(([r, d]) =>
    Object.entries(d).map(([k, v]) => `intersection ${r} ${k} ${v}`),
  ),
  ...(expected.allRunwaysClosed ? ['all runways'] : []),
  ...(expected.aerodromeClosed ? ['aerodrome'] : []),
];

const factOf = (effect: RunwayEffect, all: RunwayEffect[]): string[] => {
  if (effect.condition !== undefined) return [];
  switch (effect.kind) {
    case 'closed':
      return [`${effect.use === 'all' ? 'closed' : effect.use} ${effect.runway}`];
    case 'allRunwaysClosed':
      return ['all runways'];
    case 'aerodromeClosed':
      return ['aerodrome'];
    case 'exitClosed':
      return [`exit ${effect.name}`];
    case 'declaredDistance':
      return [`${effect.distance} ${effect.runway} ${effect.valueM}`];
    case 'intersectionDistance':
      return [`intersection ${effect.runway} ${effect.intersection} ${effect.valueM}`];
    case 'shortened':
      return [`${effect.end} ${effect.runway} ${effect.lengthM}`];
    default: {
      // Labels give a displacement as shortening only where the text states no LDA.
      const stated = all.some(
        (e) => e.kind === 'declaredDistance' && e.distance === 'LDA' && e.runway === effect.runway,
      );
      return stated ? [] : [`start ${effect.runway} ${effect.byM}`];
    }
  }
};

const factsRead = (one: Case): { facts: string[]; isFlagged: boolean } => {
  const { effects, flags } = readEffects({
    text: one.text,
    qCode: one.qCode,
    location: one.airport,
    hasSchedule: one.schedule !== null,
    isFeet: false,
  });
  const facts = effects.flatMap((effect) => factOf(effect, effects));
  const idents = publishedIdents[one.airport] ?? [];
  if (idents.length > 0 && idents.every((ident) => facts.includes(`closed ${ident}`)))
    facts.push('all runways');
  return { facts, isFlagged: flags.length > 0 };
};

describe('hand-labelled texts', () => {
  const { cases } = JSON.parse(data.text('runway-notam-labelled.json')) as { cases: Case[] };

  test.each(cases.map((one) => [`${one.id} ${one.airport}`, one] as const))('%s', (_name, one) => {
    const { facts, isFlagged } = factsRead(one);
    expect(facts.sort()).toEqual(factsOfLabel(one.expected).sort());
    expect(isFlagged).toBe(one.expected.review);
  });

  test('Precision and recall are above their limits', () => {
    expect(cases).toHaveLength(data.either(38, 13));
    let read = 0;
    let labelled = 0;
    let right = 0;
    for (const one of cases) {
      const facts = factsRead(one).facts;
      const label = new Set(factsOfLabel(one.expected));
      read += facts.length;
      labelled += label.size;
      right += facts.filter((fact) => label.has(fact)).length;
    }
    const precision = right / read;
    const recall = right / labelled;
    console.log(
      `labelled NOTAM: ${cases.length} texts, ${labelled} facts, precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`,
    );
    expect(precision).toBe(1);
    expect(recall).toBe(1);
  });
});

const closes = (notam: Notam): boolean =>
  notam.effects.some(
    (e) => ['closed', 'allRunwaysClosed', 'aerodromeClosed'].includes(e.kind) && e.condition === undefined,
  );

const closureWord =
  /CLSD|CLOSED|CSLD|UNUSABLE|UNAVAILABLE|NOT AVBL|NOT AVAILABLE|NOT USABLE|\bU\/S\b|PROHIBITED|FORBIDDEN|NOT ALLOWED|TAX(?:I|IING)? ONLY|AS TAXIWAY|HELICOPTER ONLY|ONLY TO BE USED FOR TAXI/;
const somethingElse = /^\W*(?:ILS|LOC|GP|PAPI|VOR|DME|RVR|TWY|TAXIWAY|STAND|OBST|CRANE|TRIGGER)\b/;

const europe = 'Europe-20260203.txt.gz';
const parsed = new Map<string, ReturnType<typeof parseNotamTexts>>();
/** Parsed once, since it takes a second. */
const corpus = (file: string) => {
  const known = parsed.get(file) ?? parseNotamTexts(data.text(`icao-corpora/${file}`));
  parsed.set(file, known);
  return known;
};

describe('corpora', () => {
  test('A European corpus is parsed without an exception, with permanent ends and closure codes', () => {
    const text = data.text(`icao-corpora/${europe}`);
    const started = performance.now();
    const { records, rejects } = corpus(europe);
    console.log(`Europe: ${records.length} NOTAM in ${Math.round(performance.now() - started)} ms`);
    expect(rejects).toEqual([]);
    // One NOTAM in the reduced set, and many in the whole one, occur twice.
    expect(records).toHaveLength(data.either(10_199, 16));
    expect(text.match(/QMRLC/g)).toHaveLength(data.either(327, 7));
    expect(records.filter((r) => r.qCode === 'QMRLC')).toHaveLength(data.either(268, 6));
    const permanent = records.filter(({ toUtc, isEstimated }) => toUtc === null && !isEstimated);
    expect(permanent.length).toBeGreaterThan(data.either(1_000, 3));
    const scheduled = records.filter((r) => r.scheduleRaw !== null);
    const unread = scheduled.filter((r) => r.schedule === null);
    console.log(`schedules: ${scheduled.length}, not read ${unread.length}`);
    expect(unread.length / scheduled.length).toBeLessThan(0.005);
    expect(unread.every((r) => r.flags.some((flag) => flag.startsWith('schedule not understood')))).toBe(
      true,
    );
    const unclosed = records.filter((r) => r.qCode === 'QMRLC' && !r.effects.some((e) => 'use' in e));
    console.log(`closure code without a closure: ${unclosed.length}`);
    expect(unclosed.length).toBeLessThanOrEqual(data.either(14, 1));
    // A NOTAM must be understood or flagged.
    const silent = records.filter(
      (r) => r.qCode === 'QMRLC' && r.effects.length === 0 && r.flags.length === 0,
    );
    expect(silent.every((r) => /GLIDER|ULM|WINCH|GLD/.test(r.text))).toBe(true);
  });

  test('No text without a closure closes a runway', () => {
    const files = data.names('icao-corpora').filter((file, i) => isDeep || file === europe || i % 4 === 0);
    let closing = 0;
    for (const file of files) {
      const { records } = corpus(file);
      for (const notam of records.filter(closes)) {
        closing += 1;
        const text = notam.text.toUpperCase().replace(/\s+/g, ' ');
        expect(notam.qCode).toMatch(/^Q(MR|MA|FA|XX|A|S)/);
        expect(text).toMatch(closureWord);
        expect(text).not.toMatch(somethingElse);
        const statements = text.split(/\.(?:\s|$)| - /);
        for (const effect of notam.effects) {
          if (effect.kind !== 'closed') continue;
          const ident = new RegExp(`(?<!\\d)${effect.runway.replace(/^0/, '0?')}(?![0-9LCR])`);
          expect(
            statements.some((s) => ident.test(s) && closureWord.test(s)),
            `${notam.number} ${effect.runway}`,
          ).toBe(true);
        }
      }
    }
    console.log(`closing NOTAM in ${files.length} corpora: ${closing}`);
    expect(closing).toBeGreaterThan(data.either(300, 8));
  });

  test('Effects at every aerodrome of the corpus can be applied', () => {
    const { records } = corpus(europe);
    const byAirport = Map.groupBy(
      records.filter((r) => r.airports.length > 0),
      (r) => r.airports[0] ?? '',
    );
    const now = new Date('2026-02-04T12:00:00Z');
    for (const [icao, notams] of byAirport) {
      const ends = new Set(
        notams.flatMap((n) =>
          n.effects.flatMap((e) => ('runway' in e && e.runway !== undefined ? [e.runway] : [])),
        ),
      );
      for (const ident of ends) {
        const facts = {
          icao,
          ident,
          lengthM: 2_500,
          toraM: 2_500,
          todaM: 2_500,
          asdaM: 2_500,
          ldaM: 2_500,
          displacedM: 0,
          airportIdents: [...ends],
        };
        const state = effectsAt(notams, facts, now);
        expect(state.ldaM).toBeGreaterThanOrEqual(0);
        expect(state.ldaM).toBeLessThanOrEqual(2_500);
      }
    }
  });
});
