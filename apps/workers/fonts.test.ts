import { expect, test } from 'vitest';
import { rasterise } from './rasterise.ts';

const svgOf = (text: string) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="40"><rect width="200" height="40" fill="#fff"/>` +
      `<text x="4" y="28" font-size="24" font-family="DejaVu Sans">${text}</text></svg>`,
  );

test('Texts are drawn with the bundled font: different words give different pictures, a blank gives an empty one', async () => {
  expect(process.env['FONTCONFIG_FILE']).toMatch(/efb-fonts/);
  const [one, two, blank] = await Promise.all(
    [svgOf('LDA 2300 m'), svgOf('LDA 1700 m'), svgOf(' ')].map(rasterise),
  );
  expect(one?.png.equals(two?.png ?? Buffer.alloc(0))).toBe(false);
  expect(one?.png.length).toBeGreaterThan((blank?.png.length ?? 0) * 2);
});
