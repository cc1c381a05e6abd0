import { page, scaleOf } from './layout.ts';
import { legendItems, legendPart } from './legend.ts';
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

type Head = Pick<LandingScene, 'title' | 'facts'>;

/** Title and inputs, at least one line per fact. */
export const headPart = (scene: Head): Part => {
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

export const cautionsPart = (scene: Pick<LandingScene, 'cautions'>, top: number): Part => {
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

export const notesPart = (scene: Pick<LandingScene, 'notes'>, top: number): Part => {
  const lines = scene.notes.flatMap((note) => wrapped(note, 20, page.right - page.left));
  const svg = lines.map((text, i) => label(page.left, top + 20 + i * 26, text, 20, 'soft')).join('');
  return { svg, height: lines.length * 26 };
};

export const gap = (height: number): Part => ({ svg: '', height });

/** Stacks parts vertically from `top`. */
export const stacked = (parts: readonly ((top: number) => Part)[], top: number): Part => {
  let y = top;
  const svg = parts.map((part) => {
    const { svg: drawn, height } = part(y);
    y += height;
    return drawn;
  });
  return { svg: svg.join('\n'), height: y - top };
};

/** A self-contained SVG without scripts or external references. `alternative` is the drawing as text. */
export const svgDocument = (
  { title, alternative, theme }: { title: string; alternative: string; theme: Theme },
  body: Part,
  width: number = page.width,
): string => {
  const height = Math.ceil(body.height + 22);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="t d">`,
    `<title id="t">${escaped(title)}</title><desc id="d">${escaped(alternative)}</desc>`,
    `<style>${styleSheet(theme)}</style><defs>${patterns}</defs>`,
    rect(0, 0, width, height, 'page'),
    body.svg,
    '</svg>',
  ].join('\n');
};

/** The landing drawing. */
export const landingSvg = (scene: LandingScene, theme: Theme = 'auto'): string => {
  const scale = scaleOf(scene);
  const body = stacked(
    [
      () => headPart(scene),
      (y) => runwayPart(scene, scale, y),
      (y) => rowsPart(scene, scale, y),
      () => gap(6),
      (y) => tablesPart(scene, y),
      (y) => legendPart(legendItems(scene), y),
      (y) => cautionsPart(scene, y),
      (y) => notesPart(scene, y),
    ],
    0,
  );
  return svgDocument({ title: scene.title, alternative: alternativeText(scene), theme }, body);
};
