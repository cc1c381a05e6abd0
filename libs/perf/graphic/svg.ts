import { page, scaleOf } from './layout.ts';
import { legendPart } from './legend.ts';
import { rowsPart } from './rows.ts';
import { runwayPart } from './runway.ts';
import type { Part } from './runway.ts';
import { alternativeText } from './scene.ts';
import type { LandingScene } from './scene.ts';
import { escaped, label, rect, sign } from './shapes.ts';
import { patterns, styleSheet } from './style.ts';
import type { Theme } from './style.ts';
import { tablesPart } from './tables.ts';
import { wrapped } from './text.ts';

const factLine = 28;
const nameWidth = 118;

/** Title and the state that the numbers depend on, one line or more for each fact. */
const headPart = (scene: LandingScene): Part => {
  const titles = wrapped(scene.title, 30, page.right - page.left, true);
  let y = 30 + titles.length * 36;
  const width = page.right - page.left - nameWidth;
  const facts = scene.facts.map(({ name, value }) => {
    const lines = wrapped(value, 20, width);
    const svg =
      label(page.left, y + 20, name, 20, 'soft') +
      lines.map((text, i) => label(page.left + nameWidth, y + 20 + i * factLine, text, 20)).join('');
    y += lines.length * factLine;
    return svg;
  });
  const svg = [...titles.map((text, i) => label(page.left, 46 + i * 36, text, 30, 'b ink')), ...facts].join(
    '',
  );
  return { svg, height: y + 18 };
};

const cautionsPart = (scene: LandingScene, top: number): Part => {
  let y = top;
  const svg = scene.cautions.map((caution) => {
    const lines = wrapped(caution, 20, page.right - page.left - 34);
    const part =
      sign('SMALL_MARGIN', page.left, y + 4, 20) +
      lines.map((text, i) => label(page.left + 34, y + 21 + i * 26, text, 20)).join('');
    y += lines.length * 26 + 8;
    return part;
  });
  return { svg: svg.join(''), height: y - top + (svg.length > 0 ? 14 : 0) };
};

const notesPart = (scene: LandingScene, top: number): Part => {
  const lines = scene.notes.flatMap((note) => wrapped(note, 20, page.right - page.left));
  const svg = lines.map((text, i) => label(page.left, top + 20 + i * 26, text, 20, 'soft')).join('');
  return { svg, height: lines.length * 26 };
};

/**
 * The landing drawing as SVG text: no script, no outside reference. The theme `auto` is light, and dark where the
 * viewer prefers it.
 */
export const landingSvg = (scene: LandingScene, theme: Theme = 'auto'): string => {
  const scale = scaleOf(scene);
  const head = headPart(scene);
  const runway = runwayPart(scene, scale, head.height);
  const rowsTop = head.height + runway.height;
  const rows = rowsPart(scene, scale, rowsTop);
  let y = rowsTop + rows.height + 6;
  const below = [tablesPart, legendPart, cautionsPart, notesPart].map((part) => {
    const { svg, height } = part(scene, y);
    y += height;
    return svg;
  });
  const height = Math.ceil(y + 22);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${page.width} ${height}" width="${page.width}" height="${height}" role="img" aria-labelledby="t d">`,
    `<title id="t">${escaped(scene.title)}</title><desc id="d">${escaped(alternativeText(scene))}</desc>`,
    `<style>${styleSheet(theme)}</style><defs>${patterns}</defs>`,
    rect(0, 0, page.width, height, 'page'),
    head.svg,
    runway.svg,
    rows.svg,
    ...below,
    '</svg>',
  ].join('\n');
};
