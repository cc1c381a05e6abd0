/** Colours and fonts of the drawings. */
import { tones } from '#domain/performance/verdict.ts';

/** `auto` is light, or dark if the viewer prefers it; a rasteriser gets the light one. */
export type Theme = 'auto' | 'light' | 'dark';

export const light = {
  page: '#ffffff',
  text: '#14202b',
  soft: '#4d5b68',
  grid: '#d5dce2',
  asphalt: '#5b6670',
  mark: '#f4f6f8',
  air: '#a9c8e4',
  axis: '#6b7884',
  good: '#00775f',
  tight: '#9a5b00',
  bad: '#c02a1c',
  none: '#5f6b76',
  panel: '#eef2f5',
};

export const dark: typeof light = {
  page: '#0d141b',
  text: '#eef3f7',
  soft: '#adbac6',
  grid: '#2a3641',
  asphalt: '#3b4650',
  mark: '#dfe6ec',
  air: '#2f5d86',
  axis: '#8996a3',
  good: '#35cfa8',
  tight: '#ffb340',
  bad: '#ff7a66',
  none: '#9aa7b3',
  panel: '#18222c',
};

const fills = (c: typeof light): string =>
  [
    `.page{fill:${c.page}}.under{fill:${c.page}}`,
    `.panel{fill:${c.panel}}`,
    `.ink{fill:${c.text}}`,
    `.soft{fill:${c.soft}}`,
    `.grid{stroke:${c.grid}}`,
    `.asphalt{fill:${c.asphalt}}`,
    `.mark,.ident{fill:${c.mark}}`,
    `.centre,.arrow{stroke:${c.mark}}`,
    `.air{fill:${c.air}}`,
    `.axis,.threshold,.exit,.pavement{stroke:${c.axis}}`,
    `.lda{stroke:${c.bad}}.ldahead{fill:${c.bad}}`,
    `.touchdown{fill:${c.text}}`,
    `.band,.event{stroke:${c.text}}`,
    `.braking{fill:${c.none}}`,
    `.clearway{stroke:${c.axis};fill:none}`,
    `.chosenbox{stroke:${c.text};fill:none}`,
    `.glyph{stroke:${c.page}}.dot{fill:${c.page}}`,
    ...tones.flatMap((name) => [
      `.${name}{fill:${c[name]}}`,
      `.${name}line{stroke:${c[name]}}`,
      `.${name}tail{fill:url(#t-${name});stroke:${c[name]}}`,
      `.p-${name}{stroke:${c[name]}}`,
    ]),
    `.over{stroke:${c.page}}`,
    `.closed{fill:url(#t-closed);stroke:${c.bad}}`,
    `.p-closed{stroke:${c.bad}}`,
  ].join('');

const fonts = [
  'text{font-family:"DejaVu Sans","Liberation Sans",Arial,Helvetica,sans-serif}',
  '.b{font-weight:700}',
  '.s30{font-size:30px}.s26{font-size:26px}.s24{font-size:24px}.s22{font-size:22px}.s20{font-size:20px}.s19{font-size:19px}.s18{font-size:18px}',
  '.centre{stroke-width:2.5;stroke-dasharray:20 15}',
  '.arrow{stroke-width:2.5;fill:none}',
  '.axis,.grid{stroke-width:1.5}',
  '.threshold{stroke-width:2;stroke-dasharray:3 4}',
  '.pavement{stroke-width:2;stroke-dasharray:1 5}',
  '.lda{stroke-width:2.5;stroke-dasharray:9 5}',
  '.dim{stroke-width:2}',
  '.exit{stroke-width:2}.exitbar{stroke-width:5}',
  '.band{stroke-width:2.5;fill:none}',
  '.event{stroke-width:2.5}.leader{stroke-width:1.5}',
  '.clearway{stroke-width:2;stroke-dasharray:6 4}',
  '.chosenbox{stroke-width:2}',
  '.tail{stroke-width:1.5}',
  '.closed{stroke-width:1.5}',
  '.glyph{stroke-width:3;fill:none;stroke-linecap:round;stroke-linejoin:round}',
  '.ring{stroke-width:3;fill:none}',
].join('');

export const styleSheet = (theme: Theme): string => {
  if (theme === 'dark') return `${fonts}${fills(dark)}`;
  const plain = `${fonts}${fills(light)}`;
  return theme === 'light' ? plain : `${plain}@media (prefers-color-scheme: dark){${fills(dark)}}`;
};

const stripes = (id: string, cls: string, angle: number, step: number, width: number): string =>
  `<pattern id="${id}" width="${step}" height="${step}" patternUnits="userSpaceOnUse" patternTransform="rotate(${angle})">` +
  `<line class="${cls}" x1="${step / 2}" y1="0" x2="${step / 2}" y2="${step}" stroke-width="${width}"/></pattern>`;

/** Hatching of tails by tone, and textures over solid bars that do not fit well. */
export const patterns = [
  ...tones.map((name) => stripes(`t-${name}`, `p-${name}`, 45, 9, 4)),
  stripes('t-closed', 'p-closed', 45, 9, 6),
  stripes('o-upright', 'over', 0, 12, 3),
  stripes('o-slanted', 'over', -45, 12, 3.5),
  `<pattern id="o-crossed" width="12" height="12" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">` +
    `<path class="over" d="M0 6 h12 M6 0 v12" stroke-width="3"/></pattern>`,
].join('');
