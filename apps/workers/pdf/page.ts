/** A PDF page with the project's fonts and texts clipped to their boxes; the same content gives the same bytes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import PDFDocument from 'pdfkit';

const folder = join(import.meta.dirname, '../fonts');
export const faces = {
  plain: join(folder, 'DejaVuSansCondensed.ttf'),
  bold: join(folder, 'DejaVuSansCondensed-Bold.ttf'),
} as const;
type Face = keyof typeof faces;

/** A4, points. */
export const paper = { width: 595.28, height: 841.89, margin: 34 } as const;
export const contentWidth = paper.width - 2 * paper.margin;
export const bottom = paper.height - paper.margin - 14;

export const ink = {
  text: '#14202b',
  soft: '#4d5b68',
  line: '#b9c3cc',
  bad: '#c02a1c',
  tight: '#9a5b00',
} as const;

export interface Style {
  face?: Face;
  size?: number;
  colour?: string;
  align?: 'left' | 'right' | 'center';
  /** Further lines are cut, with an ellipsis. */
  maxLines?: number;
}

const defaultSize = 7.6;
const leading = 1.24;

export const openPaper = (info: { title: string; madeAt: string }) => {
  const date = new Date(info.madeAt);
  const doc = new PDFDocument({
    size: 'A4',
    margin: 0,
    autoFirstPage: false,
    lang: 'en',
    info: { Title: info.title, CreationDate: date, ModDate: date },
  });
  const chunks: Buffer[] = [];
  const ended = new Promise<Buffer>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk));
    doc.on('end', () => resolve(Buffer.concat(chunks)));
    doc.on('error', reject);
  });
  for (const [name, file] of Object.entries(faces)) doc.registerFont(name, readFileSync(file));

  const use = ({ face = 'plain', size = defaultSize, colour = ink.text }: Style): number => {
    doc.font(face).fontSize(size).fillColor(colour);
    return size * leading;
  };
  const gap = (style: Style): number => use(style) - doc.currentLineHeight(false);
  const heightOf = (text: string, width: number, style: Style = {}): number => {
    const lineGap = gap(style);
    return doc.heightOfString(text, { width, lineGap });
  };
  /** Writes in a box of this width and returns the height used; nothing exceeds `maxHeight`. */
  const write = (
    text: string,
    { x, y, width, maxHeight = Infinity }: { x: number; y: number; width: number; maxHeight?: number },
    style: Style = {},
  ): number => {
    const lineGap = gap(style);
    const lineHeight = (style.size ?? defaultSize) * leading;
    const most = Math.min(maxHeight, (style.maxLines ?? Infinity) * lineHeight);
    if (text === '' || most < lineHeight - 0.01) return 0;
    const whole = doc.heightOfString(text, { width, lineGap });
    const align = style.align ?? 'left';
    // The library ends a text one line early if the box has no room for the gap below its last line.
    const height = Math.floor((most + 0.01) / lineHeight) * lineHeight;
    if (whole <= height + 0.01) doc.text(text, x, y, { width, lineGap, align });
    else doc.text(text, x, y, { width, lineGap, align, height: height - lineGap / 2, ellipsis: true });
    return Math.min(whole, height);
  };
  return {
    nextPage: (): void => void doc.addPage(),
    write,
    heightOf,
    line: (x: number, y: number, width: number): void =>
      void doc
        .moveTo(x, y)
        .lineTo(x + width, y)
        .lineWidth(0.5)
        .stroke(ink.line),
    picture: (png: Buffer, { x, y, width, height }: Record<'x' | 'y' | 'width' | 'height', number>): void =>
      void doc.image(png, x, y, { fit: [width, height] }),
    end: (): Promise<Buffer> => {
      doc.end();
      return ended;
    },
  };
};

export type Paper = ReturnType<typeof openPaper>;
