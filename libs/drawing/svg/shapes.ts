import { verdictWords } from '#domain/performance/verdict.ts';
import type { ShownVerdict, Tone } from '#domain/performance/verdict.ts';

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

export const n = (value: number): string => value.toFixed(1).replace(/\.0$/, '');

export const rect = (x: number, y: number, w: number, h: number, cls: string, extra = ''): string =>
  w <= 0 ? '' : `<rect class="${cls}" x="${n(x)}" y="${n(y)}" width="${n(w)}" height="${n(h)}"${extra}/>`;

export const line = (x1: number, y1: number, x2: number, y2: number, cls: string): string =>
  `<line class="${cls}" x1="${n(x1)}" y1="${n(y1)}" x2="${n(x2)}" y2="${n(y2)}"/>`;

type Size = 18 | 19 | 20 | 22 | 24 | 26 | 30;

/** A text in ink colour unless a class changes it. */
export const label = (
  x: number,
  y: number,
  text: string,
  size: Size,
  cls = 'ink',
  anchor: 'start' | 'middle' | 'end' = 'start',
): string =>
  `<text class="s${size} ${cls}" x="${n(x)}" y="${n(y)}"${anchor === 'start' ? '' : ` text-anchor="${anchor}"`}>${escaped(text)}</text>`;

export const toneOf = (verdict: ShownVerdict): Tone => verdictWords[verdict].tone;

/** Texture over the solid part by verdict; none if the distance fits. */
export const textureOf: Record<ShownVerdict, string | null> = {
  FITS: null,
  SMALL_MARGIN: 'o-upright',
  MARGIN_NOT_MET: 'o-slanted',
  LIMIT_EXCEEDED: 'o-slanted',
  ABOVE_LDA: 'o-crossed',
  CANNOT_STOP: null,
  NOT_AVAILABLE: null,
};

/** Outline and glyph of each verdict in a 24 px box, legible without colours. */
const signs: Record<ShownVerdict, string> = {
  FITS: '<circle class="good" cx="12" cy="12" r="11"/><path class="glyph" d="M6.5 12.5 l4 4 l7 -8"/>',
  SMALL_MARGIN:
    '<path class="tight" d="M12 1 L23.5 22 H0.5 z"/><path class="glyph" d="M12 8.5 v6"/><circle class="dot" cx="12" cy="18.5" r="1.8"/>',
  MARGIN_NOT_MET:
    '<path class="bad" d="M12 0 L24 12 L12 24 L0 12 z"/><path class="glyph" d="M12 6 v7"/><circle class="dot" cx="12" cy="17.5" r="1.8"/>',
  LIMIT_EXCEEDED:
    '<path class="bad" d="M0.5 2 H23.5 L12 23 z"/><path class="glyph" d="M12 5.5 v6.5"/><circle class="dot" cx="12" cy="16" r="1.8"/>',
  ABOVE_LDA:
    '<rect class="bad" x="1" y="1" width="22" height="22"/><path class="glyph" d="M7 7 l10 10 M17 7 l-10 10"/>',
  CANNOT_STOP:
    '<path class="bad" d="M7.5 1 h9 l6.5 6.5 v9 l-6.5 6.5 h-9 l-6.5 -6.5 v-9 z"/><path class="glyph" d="M6 12 h12"/>',
  NOT_AVAILABLE:
    '<circle class="ring noneline" cx="12" cy="12" r="10"/><path class="ring noneline" d="M5 19 L19 5"/>',
};

/** A verdict's sign, placed by its top left corner. */
export const sign = (verdict: ShownVerdict, x: number, y: number, size = 24): string =>
  `<g data-verdict="${verdict}" transform="translate(${n(x)} ${n(y)}) scale(${(size / 24).toFixed(3)})">${signs[verdict]}</g>`;
