import { describe, expect, test } from 'vitest';
import { boxesOf, crossedOf, outsideOf, overlapsOf } from '#test/support/drawing-boxes.ts';
import { profile as standardProfile } from '#perf/fixtures/aircraft.ts';
import { aircraft, unitSets } from '#perf/fixtures/landings.ts';
import { drawnTakeoffs, drawTakeoff } from '#perf/fixtures/takeoffs.ts';
import { dark, light } from './style.ts';
import { takeoffAlternativeText } from './takeoff-scene.ts';
import { takeoffSheetSvg, takeoffSvg } from './takeoff-svg.ts';

const standard = standardProfile('A320-251N');
const drawn = (name: string, units = { distance: 'meter' }) => {
  const found = drawnTakeoffs(standard, 1).find((entry) => entry.name.startsWith(name));
  if (!found) throw new Error(name);
  return drawTakeoff(standard, units, found);
};
const textsOf = (svg: string): string[] =>
  [...svg.matchAll(/>([^<>]+)<\/text>/g)].map(([, text = '']) => text);

describe('takeoff drawing', () => {
  test('The drawing has brake release, V1, VR, lift-off, screen height and stop for both thrusts, and every available distance (G-07)', () => {
    const { scene, answer } = drawn('ordinary');
    const { performance } = answer;
    expect(scene.columns.map(({ title, isUsed }) => [title.split(',')[0], isUsed])).toEqual([
      ['Full thrust', false],
      ['Reduced', true],
    ]);
    const texts = textsOf(takeoffSvg(scene));
    for (const words of ['brake release', 'V1', 'VR', 'V2', 'lift-off', '35 ft', 'stop'])
      expect(texts, words).toContain(words);
    for (const [name, length] of [
      ['TORA', performance?.tora],
      ['TODA', performance?.toda],
      ['ASDA', performance?.asda],
    ])
      expect(texts).toContain(`${name} ${length?.toLocaleString('en-US')} m`);
    for (const column of [performance?.full, performance?.reduced])
      for (const figure of [column?.asd, column?.eogd, column?.agd])
        expect(texts).toContain(`${figure?.toLocaleString('en-US')} m`);
  });

  test('Positions are in order, and the ends are the distances of the answer (G-07)', () => {
    for (const name of ['ordinary', 'too heavy', 'slush', 'from']) {
      const { scene, facts, answer } = drawn(name);
      const { full, reduced } = facts.points;
      for (const [points, of] of [
        [full, answer.performance?.full],
        [reduced, answer.performance?.reduced],
      ] as const) {
        if (!points || !of) continue;
        const { v1M, vrM, liftOffM } = points;
        const order = [0, v1M ?? 0, vrM ?? 0, liftOffM ?? 0, of.eogd ?? Infinity];
        expect(
          order.toSorted((a, b) => a - b),
          name,
        ).toEqual(order);
      }
      for (const row of scene.columns.flatMap(({ rows }) => rows))
        expect(row.segments.at(-1)?.toM, `${name} ${row.label}`).toBe(row.neededM ?? 0);
    }
  });

  test('Intersection, displaced threshold, stopway, clearway and closed parts are in position (G-07)', () => {
    const { scene } = drawn('from');
    const { runway } = scene;
    expect(runway).toMatchObject({ ident: '25R', intersection: 'A5' });
    // Lining up costs some metres of the runway.
    const lineupM = 2400 - 100 - runway.toraM;
    expect(lineupM).toBeGreaterThan(5);
    expect(runway.beforeM).toBeCloseTo(900 + lineupM, -1);
    expect(runway.thresholdM).toBeCloseTo(300 - runway.beforeM, 5);
    expect(runway.closed.map(({ fromM, toM }) => Math.round(toM - fromM))).toEqual([150, 100]);
    expect(runway.closed[1]?.toM).toBeCloseTo(-lineupM, -1);
    const texts = textsOf(takeoffSvg(scene));
    for (const words of ['from A5', 'stopway', 'clearway', 'displaced', 'closed (NOTAM)', '15 ft'])
      expect(texts, words).toContain(words);
    const plain = textsOf(takeoffSvg(drawn('slush').scene));
    for (const words of ['stopway', 'clearway', 'closed (NOTAM)']) expect(plain).not.toContain(words);
  });

  test('The text alternative has speeds, positions, distances with margins, and the cautions (G-07)', () => {
    const { scene, answer } = drawn('from');
    const text = takeoffAlternativeText(scene);
    const full = answer.performance?.full;
    expect(text).toContain(`V1 ${full?.v1}, VR ${full?.vR}, V2 ${full?.v2} kt.`);
    expect(text).toMatch(/Stop from V1: fits, [\d,]+ m, margin \+[\d,]+ m of ASDA; V1 at [\d,]+ m, stop at/);
    for (const words of ['From intersection A5.', 'Clearway 300 m.', 'Closed by NOTAM: 150 m', 'selected'])
      expect(text).toContain(words);
    for (const caution of answer.caution) expect(text).toContain(caution.split(' ')[0]);
    expect(takeoffSvg(scene)).toContain('<desc id="d">');
  });

  test('A takeoff drawing follows the viewer’s setting, or is entirely dark or light, in one self-contained file', () => {
    const { scene } = drawn('ordinary');
    const svg = takeoffSvg(scene);
    expect(svg).toContain('prefers-color-scheme: dark');
    expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toMatch(
      /script|href|https?:|@import|NaN|undefined/,
    );
    expect(takeoffSvg(scene, 'dark')).toContain(`.page{fill:${dark.page}}`);
    expect(takeoffSvg(scene, 'dark')).not.toContain(light.text);
    expect(takeoffSvg(scene, 'light')).not.toContain(dark.text);
  });

  test('A print has the same words at half the height in light colours, low enough for A4 landscape', () => {
    for (const name of ['ordinary', 'too heavy', 'slush', 'from']) {
      const { scene } = drawn(name);
      const sheet = takeoffSheetSvg(scene);
      const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(sheet) ?? [];
      expect(Number(width)).toBe(1600);
      expect(Number(height), name).toBeLessThan(1000);
      expect(sheet).not.toContain('prefers-color-scheme');
      expect(sheet).toContain('<desc id="d">');
    }
  });

  test('Without a weight the drawing has the runway and the limits, and a weight above them is marked', () => {
    const limits = textsOf(takeoffSvg(drawn('limits only').scene));
    expect(limits.some((text) => text.startsWith('at most '))).toBe(true);
    expect(limits).not.toContain('Full thrust');
    const heavy = textsOf(takeoffSvg(drawn('too heavy').scene));
    expect(heavy.some((text) => text.startsWith('too long, −'))).toBe(true);
  });

  test.each(aircraft)('No text of a takeoff of %s overlaps another or leaves the page', (_, profile) => {
    const nth = aircraft.findIndex(([id]) => id === profile.id) % unitSets.length;
    for (const [set, kg] of unitSets.slice(nth, nth + 1))
      for (const entry of drawnTakeoffs(profile, kg)) {
        const { scene } = drawTakeoff(profile, set, entry);
        const svg = takeoffSvg(scene);
        expect(svg, entry.name).not.toMatch(/undefined|NaN|Infinity|null|\[object/);
        expect(textsOf(takeoffSheetSvg(scene)).toSorted(), entry.name).toEqual(textsOf(svg).toSorted());
        const boxes = boxesOf(svg);
        expect(boxes.length, entry.name).toBeGreaterThan(12);
        expect([...overlapsOf(boxes), ...outsideOf(boxes), ...crossedOf(svg, boxes)], entry.name).toEqual([]);
      }
  });
});
