import { expect, test } from 'vitest';
import PDFDocument from 'pdfkit';
import { printable } from '#domain/prints/printable.ts';
import { faces } from './pdf/page.ts';
import { rasterise } from './rasterise.ts';

interface Font {
  hasGlyphForCodePoint: (code: number) => boolean;
}

const svgOf = (text: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="40"><rect width="200" height="40" fill="#fff"/>` +
  `<text x="4" y="28" font-size="24" font-family="DejaVu Sans">${text}</text></svg>`;

test('Texts are drawn with the bundled font, so that different words yield different pictures and a blank an empty one', async () => {
  expect(process.env['FONTCONFIG_FILE']).toMatch(/efb-fonts/);
  const [one, two, blank] = await Promise.all(
    ['LDA 2300 m', 'LDA 1700 m', ' '].map((text) => rasterise(svgOf(text), 'png')),
  );
  expect(one?.equals(two ?? Buffer.alloc(0))).toBe(false);
  expect(one?.length).toBeGreaterThan((blank?.length ?? 0) * 2);
});

test('The print font has every printable character in both faces', () => {
  const document = new PDFDocument({ autoFirstPage: false });
  const signs = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCharCode(code)).filter((sign) =>
    new RegExp(`[${printable}]`, 'u').test(sign),
  );
  expect(signs.length).toBeGreaterThan(2_000);
  for (const file of Object.values(faces)) {
    // The PDF library exposes the fontkit font, but does not declare its type.
    const { font } = (document.font(file) as unknown as { _font: { font: Font } })._font;
    const missing = signs.filter(
      (sign) => sign >= ' ' && !font.hasGlyphForCodePoint(sign.codePointAt(0) ?? 0),
    );
    expect(missing).toEqual([]);
  }
});
