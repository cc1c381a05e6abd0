/** Colours and fonts of the drawings. Dark follows the viewer's setting; rasterisers use the light one. */

const light = {
  page: '#ffffff',
  text: '#14202b',
  soft: '#52616f',
  asphalt: '#5b6670',
  mark: '#f4f6f8',
  air: '#b9d3ea',
  axis: '#7b8794',
  good: '#1d8a4b',
  tight: '#c77700',
  bad: '#c62828',
  lda: '#c62828',
  exit: '#52616f',
  touchdown: '#14202b',
};

const dark: typeof light = {
  page: '#0d141b',
  text: '#eef3f7',
  soft: '#a9b7c4',
  asphalt: '#3b4650',
  mark: '#dfe6ec',
  air: '#2f5d86',
  axis: '#7b8794',
  good: '#3ccf7e',
  tight: '#ffb340',
  bad: '#ff6b6b',
  lda: '#ff6b6b',
  exit: '#a9b7c4',
  touchdown: '#eef3f7',
};

const fills = (c: typeof light): string =>
  [
    `.page{fill:${c.page}}`,
    `.title,.mode,.figure,.exitname{fill:${c.text}}`,
    `.subtitle,.tick{fill:${c.soft}}`,
    `.asphalt{fill:${c.asphalt}}`,
    `.mark,.ident{fill:${c.mark}}`,
    `.centre{stroke:${c.mark}}`,
    `.arrow{stroke:${c.mark}}`,
    `.air{fill:${c.air}}`,
    `.axis{stroke:${c.axis}}`,
    `.threshold{stroke:${c.axis}}`,
    `.lda{stroke:${c.lda}}`,
    `.exit{stroke:${c.exit}}`,
    `.touchdown{fill:${c.touchdown}}`,
    ...(['good', 'tight', 'bad'] as const).flatMap((name) => [
      `.${name}{fill:${c[name]}}`,
      `.${name}line{fill:url(#h-${name});stroke:${c[name]}}`,
      `.${name}text{fill:${c[name]}}`,
      `.p-${name}{stroke:${c[name]}}`,
    ]),
    `.closed{fill:url(#h-closed);stroke:${c.bad}}`,
    `.p-closed{stroke:${c.bad}}`,
  ].join('');

const fonts = [
  'text{font-family:"DejaVu Sans","Liberation Sans",Arial,Helvetica,sans-serif}',
  '.title{font-size:28px;font-weight:700}',
  '.subtitle{font-size:19px}',
  '.mode{font-size:16px}.chosen{font-weight:700}',
  '.figure{font-size:19px;font-weight:700}',
  '.margin{font-size:16px}',
  '.tick{font-size:16px}',
  '.exitname{font-size:16px;font-weight:700}',
  '.ident{font-size:22px;font-weight:700}',
  '.centre{stroke-width:2.5;stroke-dasharray:22 16}',
  '.arrow{stroke-width:2.5;fill:none}',
  '.axis{stroke-width:1.5}',
  '.threshold{stroke-width:1.5;stroke-dasharray:3 4}',
  '.lda{stroke-width:2.5;stroke-dasharray:8 5}',
  '.exit{stroke-width:4}',
  '.tail{stroke-width:1.5}',
  '.closed{stroke-width:1.5}',
].join('');

export const styleSheet = `${fonts}${fills(light)}@media (prefers-color-scheme: dark){${fills(dark)}}`;

const hatch = (name: string, width: number): string =>
  `<pattern id="h-${name}" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">` +
  `<line class="p-${name}" x1="0" y1="0" x2="0" y2="9" stroke-width="${width}"/></pattern>`;

export const patterns = [hatch('good', 4), hatch('tight', 4), hatch('bad', 4), hatch('closed', 6)].join('');
