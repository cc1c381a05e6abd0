// First: sharp reads the setting of its fonts when it is loaded.
import './fonts.ts';
import sharp from 'sharp';
import type { RasterFormat } from '#domain/performance/graphic.ts';

// Jobs run side by side already; one thread each keeps a picture from taking every core.
sharp.concurrency(1);
sharp.cache(false);

/** Largest picture that is rasterised, in pixels. */
const limitInputPixels = 4_000 * 4_000;
/** 1.5 times the size of the drawing, for screens with many pixels; 72 dpi is its own size. */
const density = 108;
// A palette would save 40 % of the bytes for twenty times the time.
const png = { compressionLevel: 6 } as const;

/** PNG or JPG of a drawing. JPG has no transparency, so its background is white. */
export const rasterise = (svg: string, format: RasterFormat): Promise<Buffer> => {
  const drawing = sharp(Buffer.from(svg), { limitInputPixels, density });
  return format === 'png'
    ? drawing.png(png).toBuffer()
    : drawing.flatten({ background: '#ffffff' }).jpeg({ quality: 88 }).toBuffer();
};

/** PNG without transparency, with two pixels for each of the drawing, for print. */
export const rasteriseForPaper = (svg: string): Promise<Buffer> =>
  sharp(Buffer.from(svg), { limitInputPixels, density: 144 })
    .flatten({ background: '#ffffff' })
    .removeAlpha()
    .png(png)
    .toBuffer();
