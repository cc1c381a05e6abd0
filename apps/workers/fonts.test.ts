import { expect, test } from 'vitest';
import { rasterise } from './rasterise.ts';

const svgOf = (text: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="40"><rect width="200" height="40" fill="#fff"/>` +
  `<text x="4" y="28" font-size="24" font-family="DejaVu Sans">${text}</text></svg>`;

test('Texts are drawn with the bundled font: different words give different pictures, a blank gives an empty one', async () => {
  expect(process.env['FONTCONFIG_FILE']).toMatch(/efb-fonts/);
  const [one, two, blank] = await Promise.all(
    ['LDA 2300 m', 'LDA 1700 m', ' '].map((text) => rasterise(svgOf(text), 'png')),
  );
  expect(one?.equals(two ?? Buffer.alloc(0))).toBe(false);
  expect(one?.length).toBeGreaterThan((blank?.length ?? 0) * 2);
});
