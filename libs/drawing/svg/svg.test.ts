import { assert, constantFrom, double, integer, property, record, array, option, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shownVerdicts } from '#domain/performance/verdict.ts';
import { boxesOf, crossedOf, outsideOf, overlapsOf } from '#test/support/drawing-boxes.ts';
import { aircraft, casesOf, perform, unitSets } from '#perf/fixtures/landings.ts';
import { drawingFacts, landingScenes } from '../scenes/landing.ts';
import { endOf, exitLabels, page, scaleOf, startOf } from './layout.ts';
import { alternativeText, distanceText, marginText } from './scene.ts';
import type { LandingScene } from './scene.ts';
import { sign, textureOf, toneOf } from './shapes.ts';
import { dark, light } from './style.ts';
import { landingSvg } from './svg.ts';
import { isDeep } from '#test/support/deep.ts';

const scene: LandingScene = {
  title: 'KJFK 04L <A&B>',
  subtitle: 'In flight',
  facts: [{ name: 'Runway', value: 'Wet · RWYCC 5' }],
  unit: 'm',
  runway: {
    ident: '04L',
    beforeM: 190,
    closed: [
      { fromM: -50, toM: 0 },
      { fromM: 2300, toM: 2600 },
    ],
    ldaM: 2300,
    beyondM: 300,
  },
  touchdownM: 480,
  rows: [
    {
      label: 'MAX MANUAL',
      solidM: 1290,
      tailM: 1518,
      marginM: 782,
      isChosen: false,
      verdict: 'FITS',
      bandM: [1500, 1540],
    },
    {
      label: 'AUTOBRAKE 3',
      solidM: 1900,
      tailM: 2210,
      marginM: 90,
      isChosen: true,
      verdict: 'SMALL_MARGIN',
      bandM: null,
    },
    {
      label: 'AUTOBRAKE 1',
      solidM: 3900,
      tailM: 4600,
      marginM: -2300,
      isChosen: false,
      verdict: 'ABOVE_LDA',
      bandM: null,
    },
  ],
  missing: [
    { label: 'AUTOBRAKE 2', verdict: 'CANNOT_STOP', reason: 'Does not stop on this surface and slope.' },
  ],
  exits: [
    { name: 'K3', distanceM: 1500, isHighSpeed: true },
    { name: 'far', distanceM: 99_000, isHighSpeed: false },
  ],
  tables: null,
  cautions: ['The runway is short.'],
  notes: ['For flight simulation only.'],
};

describe('landing drawing', () => {
  const svg = landingSvg(scene);

  test('A drawing is one self-contained SVG: escaped, without scripts or outside references (M-2.9.x3)', () => {
    expect(svg.startsWith('<svg xmlns="http://www.w3.org/2000/svg"')).toBe(true);
    expect(svg).toContain('KJFK 04L &lt;A&amp;B&gt;');
    expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toMatch(
      /script|href|https?:|@import|NaN|undefined/,
    );
  });

  test('A drawing follows the viewer’s setting, or is entirely dark or light', () => {
    expect(svg).toContain('prefers-color-scheme: dark');
    expect(svg).toContain(`.page{fill:${light.page}}`);
    const night = landingSvg(scene, 'dark');
    expect(night).toContain(`.page{fill:${dark.page}}`);
    expect(night).not.toContain(light.text);
    expect(night).not.toContain('prefers-color-scheme');
    expect(landingSvg(scene, 'light')).not.toContain(dark.text);
  });

  test('Exits on the pavement are drawn with their names, others are not', () => {
    expect(svg).toContain('>K3</text>');
    expect(svg).not.toContain('>far</text>');
  });

  test('The text alternative has the state, every bar, every mode without one, and the cautions in words', () => {
    const text = alternativeText(scene);
    expect(text).toContain('Runway: Wet · RWYCC 5.');
    expect(text).toContain('MAX MANUAL: stops at 1,290 m, factored 1,518 m, margin +782 m, fits.');
    expect(text).toContain('AUTOBRAKE 1: stops at 3,900 m, factored 4,600 m, margin −2,300 m, too long.');
    expect(text).toContain('AUTOBRAKE 2: does not stop. Does not stop on this surface and slope.');
    expect(text).toContain('The runway is short.');
    expect(svg).toContain('<desc id="d">');
  });

  test('Distances in feet are shown in feet with separated thousands, on the axis, too', () => {
    expect(distanceText(304.8, 'ft')).toBe('1,000 ft');
    expect(marginText(-304.8, 'ft')).toBe('−1,000 ft');
    const feet = landingSvg({ ...scene, unit: 'ft' });
    expect(feet).toContain('LDA 7,546 ft');
    expect(feet).toMatch(/>5,000<\/text>/);
    expect([...feet.matchAll(/>[^<]*\d{4,}[^<]*<\/text>/g)]).toEqual([]);
  });
});

/** The bars of a drawing from top to bottom: ends of the parts in the air, on the ground and factored. */
const barsOf = (svg: string) => {
  const rects = [
    ...svg.matchAll(
      /<rect class="(air|bar \w+|tail \w+)" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="24"\/>/g,
    ),
  ].map(([, cls = '', x, y, width]) => ({ cls, x: Number(x), y: Number(y), end: Number(x) + Number(width) }));
  return [...Map.groupBy(rects, ({ y }) => y)].map(([y, parts]) => {
    const from = Math.min(...parts.map(({ x }) => x));
    const endOfPart = (name: string) => parts.find(({ cls }) => cls.startsWith(name))?.end;
    const air = endOfPart('air') ?? from;
    const solid = endOfPart('bar') ?? air;
    const right = endOfPart('tail') ?? solid;
    return { from, ends: [air, solid, right], right, isCut: svg.includes(` ${y} l12 12 l-12 12 z"`) };
  });
};

describe('bar scale', () => {
  const metresOf = double({ min: 300, max: 5200, noNaN: true });

  test('Every bar is to scale, even beyond the pavement, or is marked as cut at the edge', () => {
    const runways = record({
      beforeM: integer({ min: 0, max: 800 }),
      closedM: integer({ min: 0, max: 400 }),
      ldaM: integer({ min: 900, max: 4500 }),
      beyondM: integer({ min: 0, max: 700 }),
    });
    const bars = array(record({ solidM: metresOf, extraM: option(metresOf) }), {
      minLength: 1,
      maxLength: 6,
    });
    assert(
      property(runways, bars, metresOf, (runway, lengths, touchdownM) => {
        const drawn: LandingScene = {
          ...scene,
          touchdownM,
          runway: { ...runway, ident: '09', closed: [{ fromM: -runway.closedM, toM: 0 }] },
          rows: lengths.map(({ solidM, extraM }) => ({
            ...(scene.rows[0] ?? ({} as never)),
            solidM,
            tailM: extraM === null ? null : solidM + extraM,
          })),
        };
        const scale = scaleOf(drawn);
        expect(scale.x(startOf(drawn))).toBeCloseTo(page.left, 6);
        expect(scale.x(endOf(drawn))).toBeLessThanOrEqual(page.right + 1e-6);
        const svg = landingSvg(drawn);
        const shown = barsOf(svg);
        const limitM = startOf(drawn) + 2 * (endOf(drawn) - startOf(drawn));
        expect(scale.limitM).toBeCloseTo(limitM, 6);
        for (const [i, row] of drawn.rows.entries()) {
          const ends = [Math.min(touchdownM, row.solidM), row.solidM, row.tailM ?? row.solidM];
          // Drawings have tenths of a pixel.
          const bar = shown[i];
          expect(bar?.from).toBeCloseTo(scale.x(0), 0);
          expect(bar?.right).toBeLessThanOrEqual(page.right + 0.2);
          for (const [k, end] of ends.entries())
            expect(Math.abs((bar?.ends[k] ?? 0) - scale.x(Math.min(end, limitM)))).toBeLessThan(0.2);
          expect(bar?.isCut).toBe(Math.max(...ends) > limitM);
        }
      }),
    );
  });

  test('The scale follows the longest bar and is not wider than needed', () => {
    const longest = 2700;
    const rows = scene.rows.slice(0, 1).map((row) => ({ ...row, tailM: longest, bandM: null }));
    expect(scaleOf({ ...scene, rows }).x(longest)).toBeCloseTo(page.right, 6);
    const short = scene.rows.slice(0, 1);
    expect(scaleOf({ ...scene, rows: short }).x(endOf(scene))).toBeCloseTo(page.right, 6);
  });
});

describe('labels', () => {
  test('Exit labels never overlap, stay on the page, and their leaders do not cross', () => {
    const exits = array(
      record({
        name: string({
          minLength: 1,
          maxLength: 6,
          unit: constantFrom('A', 'B', 'N', 'W', '0', '1', '4', '7'),
        }),
        distanceM: integer({ min: 1, max: 3000 }),
        isHighSpeed: constantFrom(true, false),
      }),
      { maxLength: 60 },
    );
    assert(
      property(exits, (list) => {
        const drawn: LandingScene = { ...scene, exits: list };
        const { labels } = exitLabels(drawn, scaleOf(drawn));
        const onRunway = list.filter((exit) => exit.distanceM < endOf(drawn));
        expect(labels.length > 0).toBe(onRunway.length > 0);
        labels.forEach((entry, i) => {
          const next = labels[i + 1];
          expect(entry.x - entry.width / 2).toBeGreaterThanOrEqual(page.left - 1e-6);
          expect(entry.x + entry.width / 2).toBeLessThanOrEqual(page.right + 1e-6);
          if (!next) return;
          expect(entry.at).toBeLessThanOrEqual(next.at);
          expect(entry.x + entry.width / 2).toBeLessThan(next.x - next.width / 2);
        });
        expect(overlapsOf(boxesOf(landingSvg(drawn)))).toEqual([]);
      }),
      { numRuns: isDeep ? 300 : 80 },
    );
  });

  test('The touchdown is labelled even on a runway so short that the LDA ends within it', () => {
    for (const ldaM of [500, 620, 700, 800, 1000]) {
      const runway = { ident: '09', beforeM: 0, closed: [], ldaM, beyondM: 0 };
      const text = landingSvg({ ...scene, exits: [], runway });
      const boxes = boxesOf(text);
      expect(boxes.some((box) => box.what.startsWith('touchdown '))).toBe(true);
      expect([...overlapsOf(boxes), ...outsideOf(boxes), ...crossedOf(text, boxes)]).toEqual([]);
    }
  });

  test('A single exit is labelled directly above it', () => {
    const drawn = { ...scene, exits: scene.exits.slice(0, 1) };
    const [entry] = exitLabels(drawn, scaleOf(drawn)).labels;
    expect(entry?.x).toBeCloseTo(entry?.at ?? 0, 6);
  });

  test.each(aircraft)(
    'No text of a drawing of %s overlaps another, leaves the page or is crossed by a line',
    (_, profile) => {
      const pavement = { displacedM: 150, lengthM: 3400, closed: [] };
      // Each set of units with a third of the aircraft: texts differ by their digits only.
      const index = aircraft.findIndex(([id]) => id === profile.id);
      const nth = index % unitSets.length;
      for (const [set, kg] of unitSets.slice(nth, nth + 1)) {
        const cases = casesOf(profile, kg);
        // Every other case of an aircraft, the others of the next one; all in a deep run.
        const drawnCases = isDeep ? cases : cases.filter((_case, i) => (i + index) % 2 === 0);
        for (const entry of drawnCases) {
          const data = { ...entry.data, assess: true };
          const { request, answer, outcome } = perform(profile, set, { ...entry, data });
          const facts = drawingFacts(profile, request, outcome, pavement);
          const scenes = new Set(facts ? Object.values(landingScenes(request, answer, facts)) : []);
          for (const drawn of scenes) {
            const text = landingSvg(drawn ?? scene);
            const boxes = boxesOf(text);
            expect(boxes.length, entry.name).toBeGreaterThan(40);
            expect(overlapsOf(boxes), entry.name).toEqual([]);
            expect(outsideOf(boxes), entry.name).toEqual([]);
            expect(crossedOf(text, boxes), entry.name).toEqual([]);
          }
        }
      }
    },
  );
});

describe('verdicts without colours', () => {
  const outlineOf = (text: string): string => text.replaceAll(/(data-verdict|class)="[^"]*"/g, '');

  test('Each verdict has its own shape, and bars of different tones their own texture', () => {
    const shapes = shownVerdicts.map((verdict) => outlineOf(sign(verdict, 0, 0)));
    expect(new Set(shapes).size).toBe(shownVerdicts.length);
    const bars = (['FITS', 'SMALL_MARGIN', 'MARGIN_NOT_MET', 'ABOVE_LDA'] as const).map(
      (verdict) => textureOf[verdict],
    );
    expect(new Set(bars).size).toBe(bars.length);
    expect(new Set(shownVerdicts.map((verdict) => toneOf(verdict))).size).toBe(4);
  });

  test('The symbol and texture of each row are in the drawing, and the legend explains every symbol', () => {
    const svg = landingSvg(scene);
    const signs = [...svg.matchAll(/data-verdict="(\w+)"/g)].map(([, verdict]) => verdict);
    for (const verdict of ['FITS', 'SMALL_MARGIN', 'ABOVE_LDA', 'CANNOT_STOP']) {
      expect(signs.filter((entry) => entry === verdict).length, verdict).toBeGreaterThanOrEqual(2);
    }
    expect(svg.match(/class="texture"[^>]*fill="url\(#o-upright\)"/g)).toHaveLength(1);
    expect(svg.match(/class="texture"[^>]*fill="url\(#o-crossed\)"/g)).toHaveLength(1);
    expect(svg).not.toMatch(/class="texture"[^>]*fill="url\(#o-slanted\)"/);
    for (const words of [
      'fits',
      'too long',
      'airborne',
      'factored',
      'accuracy',
      'end of LDA',
      'closed (NOTAM)',
      'rapid exit',
    ]) {
      expect(svg).toContain(`>${words}</text>`);
    }
  });

  const channels = (colour: string): number[] =>
    [1, 3, 5].map((i) => {
      const value = Number.parseInt(colour.slice(i, i + 2), 16) / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
  const luminance = (colour: string): number => {
    const [r = 0, g = 0, b = 0] = channels(colour);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a: string, b: string): number => {
    const [low = 0, high = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };

  test('Every text colour has a contrast of at least 4.5, light and dark', () => {
    for (const theme of [light, dark]) {
      for (const name of ['text', 'soft', 'good', 'tight', 'bad', 'none'] as const) {
        expect(contrast(theme[name], theme.page), `${name} on ${theme.page}`).toBeGreaterThanOrEqual(4.5);
      }
      expect(contrast(theme.mark, theme.asphalt)).toBeGreaterThanOrEqual(4.5);
    }
  });

  test('With deuteranopia good and bad remain distinguishable (Machado 2009)', () => {
    const matrix = [
      [0.367322, 0.860646, -0.227968],
      [0.280085, 0.672501, 0.047413],
      [-0.01182, 0.04294, 0.968881],
    ];
    const seen = (colour: string): number[] => {
      const rgb = channels(colour);
      return matrix.map((row) => row.reduce((sum, weight, i) => sum + weight * (rgb[i] ?? 0), 0));
    };
    for (const theme of [light, dark]) {
      const [good, bad] = [seen(theme.good), seen(theme.bad)];
      const apart = Math.hypot(...good.map((value, i) => value - (bad[i] ?? 0)));
      expect(apart).toBeGreaterThan(0.1);
    }
  });
});
