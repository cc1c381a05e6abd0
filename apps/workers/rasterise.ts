// First: sharp reads the setting of its fonts when it is loaded.
import './fonts.ts';
import sharp from 'sharp';

// Jobs already run in parallel; one thread each keeps a picture from using every core.
sharp.concurrency(1);
sharp.cache(false);

/** Largest picture that is rasterised, in pixels. */
const limitInputPixels = 4_000 * 4_000;
// A palette would save 40 % of the bytes for twenty times the time.
const png = { compressionLevel: 6 } as const;

/**
 * PNG and JPG of one drawing. The drawing is parsed once; JPG has no transparency, so its background is white.
 */
export const rasterise = async (svg: Uint8Array): Promise<{ png: Buffer; jpg: Buffer }> => {
  const { data, info } = await sharp(svg, { limitInputPixels }).raw().toBuffer({ resolveWithObject: true });
  const pixels = () =>
    sharp(data, {
      raw: { width: info.width, height: info.height, channels: info.channels },
      limitInputPixels,
    });
  const [pngBytes, jpgBytes] = await Promise.all([
    pixels().png(png).toBuffer(),
    pixels().flatten({ background: '#ffffff' }).jpeg({ quality: 88 }).toBuffer(),
  ]);
  return { png: pngBytes, jpg: jpgBytes };
};
