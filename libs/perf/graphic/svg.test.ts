import { describe, expect, test } from 'vitest';
import type { LandingScene } from './scene.ts';
import { alternativeText, distanceText, marginText } from './scene.ts';
import { landingSvg } from './svg.ts';

const scene: LandingScene = {
  kind: 'landing',
  title: 'KJFK 04L <A&B>',
  subtitle: 'In flight',
  unit: 'm',
  runway: { ident: '04L', displacedM: 140, shortenStartM: 50, shortenEndM: 300, ldaM: 2300, beyondM: 0 },
  touchdownM: 480,
  rows: [
    { label: 'MAX MANUAL', solidM: 1290, tailM: 1518, marginM: 782, isChosen: false },
    { label: 'AUTOBRAKE 3', solidM: 1900, tailM: 2210, marginM: 90, isChosen: true },
    { label: 'AUTOBRAKE 1', solidM: 2480, tailM: 9000, marginM: -6700, isChosen: false },
  ],
  exits: [
    { name: 'K3', distanceM: 1500, isHighSpeed: true },
    { name: 'far', distanceM: 99_000, isHighSpeed: false },
  ],
  notes: ['For flight simulation only.'],
};

/** x of the first element of a class. */
const xOf = (svg: string, cls: string): number =>
  Number(new RegExp(`class="${cls}" x1?="([\\d.-]+)"`).exec(svg)?.[1]);

describe('landing drawing', () => {
  const svg = landingSvg(scene);

  test('Is one self-contained SVG: escaped, without script or outside reference (M-2.9.x3)', () => {
    expect(svg.startsWith('<svg xmlns="http://www.w3.org/2000/svg"')).toBe(true);
    expect(svg).toContain('KJFK 04L &lt;A&amp;B&gt;');
    expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toMatch(
      /script|href|https?:|@import|NaN|undefined/,
    );
    expect(svg).toContain('prefers-color-scheme: dark');
  });

  test('Positions are to scale: the LDA line is where its metres put it', () => {
    const threshold = xOf(svg, 'threshold');
    const lda = xOf(svg, 'lda');
    const perMetre = (lda - threshold) / scene.runway.ldaM;
    const firstAir = /class="air" x="([\d.]+)" y="300" width="([\d.]+)"/.exec(svg);
    expect(Number(firstAir?.[1])).toBeCloseTo(threshold, 0);
    expect(Number(firstAir?.[2])).toBeCloseTo(480 * perMetre, 0);
  });

  test('Colours follow the margin, bars that leave the page are cut with an arrow', () => {
    expect(svg).toMatch(/class="good" x="[\d.]+" y="300"/);
    expect(svg).toMatch(/class="tight" x="[\d.]+" y="346"/);
    expect(svg).toMatch(/class="bad" x="[\d.]+" y="392"/);
    expect(svg).toMatch(/<path class="bad" d="M/);
    for (const [, x, width] of svg.matchAll(/<rect[^>]* x="([\d.]+)"[^>]* width="([\d.]+)"/g)) {
      expect(Number(x) + Number(width)).toBeLessThanOrEqual(1200);
    }
  });

  test('Exits on the pavement are drawn with their names, others are not', () => {
    expect(svg).toContain('>K3</text>');
    expect(svg).not.toContain('>far</text>');
  });

  test('The text alternative describes every bar', () => {
    const text = alternativeText(scene);
    expect(text).toContain('MAX MANUAL: stops at 1,290 m, factored 1,518 m, margin +782 m.');
    expect(text).toContain('AUTOBRAKE 1: stops at 2,480 m, factored 9,000 m, margin −6,700 m.');
    expect(svg).toContain('<desc id="d">');
  });

  test('Feet are shown in feet', () => {
    expect(distanceText(304.8, 'ft')).toBe('1,000 ft');
    expect(marginText(-304.8, 'ft')).toBe('−1,000 ft');
    expect(landingSvg({ ...scene, unit: 'ft' })).toContain('LDA 7,546 ft');
  });
});
