// Imported first: sharp reads its font setting when loaded.
import './fonts.ts';
import sharp from 'sharp';
import type { RasterFormat } from '#domain/performance/graphic.ts';

// Jobs run concurrently; one thread each keeps a picture from taking every core.
sharp.concurrency(1);
sharp.cache(false);

/** Largest picture that is rasterised, in pixels. */
const limitInputPixels = 4_000 * 4_000;
/** 1.5 times the drawing's size, for high-resolution screens; 72 dpi is the original size. */
const density = 108;
// A palette would save 40 % of the bytes, but take twenty times as long.
const png = { compressionLevel: 6 } as const;

/** PNG or JPG of a drawing; JPG has no transparency and gets a white background. */
export const rasterise = (svg: string, format: RasterFormat): Promise<Buffer> => {
  const drawing = sharp(Buffer.from(svg), { limitInputPixels, density });
  return format === 'png'
    ? drawing.png(png).toBuffer()
    : drawing.flatten({ background: '#ffffff' }).jpeg({ quality: 88 }).toBuffer();
};

/** Opaque PNG at twice the drawing's size, for print. */
export const rasteriseForPaper = (svg: string): Promise<Buffer> =>
  sharp(Buffer.from(svg), { limitInputPixels, density: 144 })
    .flatten({ background: '#ffffff' })
    .removeAlpha()
    .png(png)
    .toBuffer();
