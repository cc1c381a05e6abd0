import { describe, expect, test } from 'vitest';
import { effectsAt } from '#test/support/notam-runway.ts';
import type { RunwayFacts } from '#test/support/notam-runway.ts';
import { notamsToRead } from './describe.ts';
import { isReject, parseNotam } from './parse.ts';
import type { Notam } from './types.ts';

const runway = (ident: string, more: Partial<RunwayFacts> = {}): RunwayFacts => ({
  icao: 'XXAA',
  ident,
  lengthM: 3_000,
  toraM: 3_000,
  todaM: 3_060,
  asdaM: 3_000,
  ldaM: 2_800,
  displacedM: 200,
  isPaved: true,
  airportIdents: ['09L', '27R', '09R', '27L'],
  ...more,
});

let count = 0;
const notam = (
  text: string,
  items: { qCode?: string; schedule?: string; from?: string; to?: string } = {},
): Notam => {
  count += 1;
  const number = `A${String(count).padStart(4, '0')}/26`;
  const d = items.schedule === undefined ? '' : `\nD) ${items.schedule}`;
  const parsed = parseNotam(
    `${number} NOTAMN\nQ) XXFF/${items.qCode ?? 'QMRXX'}/IV/NBO/A/000/999/5129N00028W005\nA) XXAA B) ${items.from ?? '2602010000'} C) ${items.to ?? '2602280000'}${d}\nE) ${text}`,
  );
  if (isReject(parsed)) throw new Error(parsed.reason);
  return parsed;
};

const now = new Date('2026-02-10T12:00:00Z');

describe('effects at an instant', () => {
  test('Without NOTAM nothing changes', () => {
    expect(effectsAt([], runway('09L'), now)).toMatchObject({
      closed: false,
      ldaM: 2_800,
      variants: [],
    });
  });

  test('A closure applies only to the named runway, and only while its schedule is active', () => {
    const nightly = [notam('RWY 09L/27R CLSD', { qCode: 'QMRLC', schedule: '2200-0500' })];
    expect(effectsAt(nightly, runway('09L'), now)).toMatchObject({ closed: false, flagged: [] });
    expect(effectsAt(nightly, runway('09L'), now).variants).toMatchObject([
      { notams: nightly, isInForce: false, closedFor: { landing: true } },
    ]);
    const night = new Date('2026-02-11T03:00:00Z');
    expect(effectsAt(nightly, runway('09L'), night)).toMatchObject({
      closed: true,
      reasons: [{ text: 'runway 09L closed' }],
    });
    expect(effectsAt(nightly, runway('09R'), night)).toMatchObject({ closed: false, variants: [] });
    expect(effectsAt(nightly, runway('09L', { icao: 'XXBB' }), night).closed).toBe(false);
    expect(effectsAt(nightly, runway('09L'), new Date('2026-03-01T03:00:00Z'))).toMatchObject({
      closed: false,
      variants: [],
    });
  });

  test('A cited 09 never means 09L and is flagged', () => {
    const state = effectsAt([notam('RWY 09/27 CLSD', { qCode: 'QMRLC' })], runway('09L'), now);
    expect(state.closed).toBe(false);
    expect(state.flagged.map((f) => f.text).join()).toMatch(/names 09, 27/);
  });

  test('A runway closed for landing stays open for take-off', () => {
    const state = effectsAt(
      [notam('LDG RWY 09L AND TKOF RWY 27R PROHIBITED', { qCode: 'QMRLT' })],
      runway('09L'),
      now,
    );
    expect(state).toMatchObject({ closed: false, closedFor: { landing: true, takeoff: false } });
  });

  test('A schedule that was not understood is flagged and not applied', () => {
    const state = effectsAt(
      [notam('RWY 09L/27R CLSD', { schedule: 'AFTER LAST FLIGHT' })],
      runway('09L'),
      now,
    );
    expect(state.closed).toBe(false);
    expect(state.flagged.map((f) => f.text)).toContain('possibly in force: runway 09L closed');
    expect(state.variants).toMatchObject([{ isInForce: false }]);
  });

  test('A closed grass runway does not close the paved one with the same designator', () => {
    const grass = [notam('GRASS RWY 09L/27R CLSD', { qCode: 'QMRLC' })];
    expect(effectsAt(grass, runway('09L'), now).closed).toBe(false);
    expect(effectsAt(grass, runway('09L', { isPaved: false }), now).closed).toBe(true);
  });

  test('"RWY CLSD" closes an only runway, and is flagged where there are several', () => {
    const text = [notam('RWY CLSD', { qCode: 'QMRLC' })];
    expect(effectsAt(text, runway('09L'), now).closed).toBe(false);
    expect(effectsAt(text, runway('09L'), now).flagged.length).toBeGreaterThan(0);
    expect(effectsAt(text, runway('09', { airportIdents: ['09', '27'] }), now).closed).toBe(true);
    expect(effectsAt([notam('AD CLSD', { qCode: 'QFALC' })], runway('09L'), now).closed).toBe(true);
  });

  test('Distances in the text apply, and of two NOTAM the shorter', () => {
    const two = [
      notam('RWY 09L TORA 2500M LDA 2400M', { qCode: 'QMDCH' }),
      notam('RWY 09L LDA 2300M', { qCode: 'QMDCH' }),
    ];
    const state = effectsAt(two, runway('09L'), now);
    expect(state).toMatchObject({ ldaM: 2_300, toraM: 2_500, todaM: 2_560 });
    expect(state.variants.map(({ ldaM }) => ldaM)).toEqual([2_400, 2_300, 2_300]);
    expect(state.variants.map(({ notams }) => notams.length)).toEqual([1, 1, 2]);
  });

  test('A closed part at the start shortens the runway only beyond the published displacement', () => {
    const start = [notam('FIRST 500M FROM THE BEGINNING OF RWY 09L CLSD')];
    expect(effectsAt(start, runway('09L'), now)).toMatchObject({
      ldaM: 2_500,
      toraM: 2_500,
      displacedM: 500,
    });
    expect(effectsAt(start, runway('27R', { ldaM: 3_000, displacedM: 0 }), now)).toMatchObject({
      ldaM: 2_500,
      toraM: 2_500,
    });
    const short = [notam('FIRST 150M FROM THE BEGINNING OF RWY 09L CLSD')];
    expect(effectsAt(short, runway('09L'), now)).toMatchObject({
      ldaM: 2_800,
      toraM: 2_850,
      displacedM: 200,
    });
  });

  test('Two NOTAM about one closed part do not add up, and an LDA from the text is not shortened again', () => {
    const same = [
      notam('FIRST 300M FROM THE BEGINNING OF RWY 27R CLSD'),
      notam('THR RWY 27R DISPLACED BY 300M', { qCode: 'QMTCM' }),
    ];
    const facts = runway('27R', { ldaM: 3_000, displacedM: 0 });
    expect(effectsAt(same, facts, now)).toMatchObject({ ldaM: 2_700, displacedM: 300 });
    const stated = [
      notam('FIRST 158M FROM THE BEGINNING OF RWY 09L CLSD. RWY 09L LDA REMAINS UNCHANGED 2800M.', {
        qCode: 'QMDCH',
      }),
    ];
    expect(effectsAt(stated, runway('09L'), now)).toMatchObject({
      ldaM: 2_800,
      toraM: 2_842,
    });
  });

  test.each([
    ['THR RWY 09L DISPLACED BY 995M. RWY 09L LDA 2005M', { ldaM: 2_005, displacedM: 995 }],
    ['THR RWY 09L DISPLACED BY 300M. RWY 09L LDA 2000M', { ldaM: 2_000, displacedM: 500 }],
    ['LAST 500M OF RWY 09L CLSD. THR RWY 09L DISPLACED BY 800M. RWY 09L LDA 1700M', { displacedM: 800 }],
    ['FIRST 700M OF RWY 09L CLSD. RWY 09L LDA 2500M', { ldaM: 2_300, displacedM: 700 }],
  ])('The threshold and the landing distance from one NOTAM end on the pavement: %s', (text, expected) => {
    const state = effectsAt([notam(text, { qCode: 'QMDCH' })], runway('09L'), now);
    expect(state).toMatchObject(expected);
    expect(state.displacedM + state.ldaM).toBeLessThanOrEqual(3_000);
  });

  test('Where a NOTAM gives only the TORA, TODA and ASDA are reduced by the same amount', () => {
    const tora = [notam('RWY 09L TORA 2500M', { qCode: 'QMDCH' })];
    expect(effectsAt(tora, runway('09L'), now)).toMatchObject({ todaM: 2_560, asdaM: 2_500 });
    const both = [notam('RWY 09L TORA 2500M TODA 3060M', { qCode: 'QMDCH' })];
    expect(effectsAt(both, runway('09L'), now)).toMatchObject({ todaM: 3_060, asdaM: 2_500 });
  });

  test('Neither stopway nor clearway counts behind a closed end; both count behind a closed start', () => {
    const facts = runway('09L', { asdaM: 3_100 });
    const last = [notam('LAST 500M OF RWY 09L CLSD', { qCode: 'QMRLC' })];
    expect(effectsAt(last, facts, now)).toMatchObject({ toraM: 2_500, todaM: 2_500, asdaM: 2_500 });
    const first = [notam('FIRST 500M OF RWY 09L CLSD', { qCode: 'QMRLC' })];
    expect(effectsAt(first, facts, now)).toMatchObject({ toraM: 2_500, todaM: 2_560, asdaM: 2_600 });
  });

  test('Repeated NOTAM yield one runway variant, named after one of them, with the figures of all', () => {
    const many = Array.from({ length: 12 }, () => notam('RWY 09L LDA 2300M', { qCode: 'QMDCH' }));
    const state = effectsAt(many, runway('09L'), now);
    expect([state.notams.length, state.decisive.length, state.ldaM]).toEqual([12, 1, 2_300]);
    expect(state.variants).toHaveLength(12);
  });

  test('Implausible figures are flagged and not applied', () => {
    const long = effectsAt([notam('RWY 09L LDA 5000M', { qCode: 'QMDCH' })], runway('09L'), now);
    expect(long.ldaM).toBe(2_800);
    expect(long.flagged.map((f) => f.text).join()).toMatch(/not applied/);
    const displaced = effectsAt([notam('THR RWY 09L DISPLACED BY 3200M')], runway('09L'), now);
    expect(displaced.ldaM).toBe(2_800);
    expect(displaced.flagged.map((f) => f.text).join()).toMatch(/not applied/);
    const longer = effectsAt([notam('RWY 09L LDA 2950M', { qCode: 'QMDCH' })], runway('09L'), now);
    expect(longer.ldaM).toBe(2_800);
    expect(longer.flagged.map((f) => f.text).join()).toMatch(/the shorter applies/);
  });

  test('Closed exits and intersections are applied', () => {
    const texts = [
      notam('TWY A6 CLSD', { qCode: 'QMXLC' }),
      notam('TWY Z BTN RWY 09R/27L AND TWY Y CLSD', { qCode: 'QMXLC' }),
      notam('DECLARED DISTANCES RWY 09L INTERSECTION TWY F TORA 1857M', { qCode: 'QMDCH' }),
    ];
    expect(effectsAt(texts, runway('09L'), now)).toMatchObject({
      closedExits: ['A6'],
      intersectionsM: { F: 1_857 },
      ldaM: 2_800,
    });
    expect(effectsAt(texts, runway('09R'), now).closedExits).toEqual(['A6', 'Z']);
  });

  test('A flag applies to the runways stored with it, and the text is not read again', () => {
    const [note] = [notam('RWY 09L/27R ROUGH SURFACE', { qCode: 'QMRXX' })];
    expect(note.runways).toEqual(['09L', '27R']);
    const stored = [{ ...note, runways: ['09R'] }];
    expect(effectsAt(stored, runway('09L'), now).flagged).toHaveLength(0);
    expect(effectsAt(stored, runway('09R'), now).flagged).toHaveLength(1);
  });

  test('A text that was not understood is flagged on the runway named in it', () => {
    const note = [notam('RWY 09L/27R ROUGH SURFACE', { qCode: 'QMRXX' })];
    expect(effectsAt(note, runway('09L'), now).flagged).toHaveLength(1);
    expect(effectsAt(note, runway('09R'), now).flagged).toHaveLength(0);
  });

  test('A NOTAM that must be read is shown once, with every reason and its own text', () => {
    const note = [notam('RWY 09L ROUGH\nSURFACE', { qCode: 'QMRXX' })];
    const { flagged } = effectsAt(note, runway('09L'), now);
    const number = note[0]?.number ?? '';
    const twice = [...flagged, { notam: number, text: 'another reason', said: '' }];
    expect(notamsToRead(twice)).toEqual([
      {
        notam: number,
        text: `${number} (about a runway, no effect recognised; another reason): RWY 09L ROUGH SURFACE`,
      },
    ]);
    const long = notamsToRead([{ notam: number, text: 'why', said: 'X'.repeat(5_000) }])[0];
    expect(long?.text).toHaveLength(`${number} (why): `.length + 1_002);
  });

  test.each([
    '!ORD 02/123 ORD RWY 10L FICON 5/5/5 100 PCT WET OBS AT 2602170230. 2602170235-2602180230',
    '!ORD 02/123 ORD RWY 10L FICON GREEN SLIME OBS AT 2602170230. 2602170235-2602180230',
    'A0123/26 NOTAMN\nQ) ZLA/QMRXX/IV/NBO/A/000/999/3454N11753W005\nA) KEDW B) 2602170230 C) 2602180230\nE) RWY 05/23 RSC WET',
  ])('A runway surface report is not treated as a NOTAM without a recognised effect: %s', (raw) => {
    const parsed = parseNotam(raw);
    expect(isReject(parsed) ? parsed.reason : parsed.flags).toEqual([]);
  });
});
