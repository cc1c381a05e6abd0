import { maxPicturePixels } from '#domain/users/pictures.ts';

const limitSeconds = 20;
const formats: ReadonlySet<string | undefined> = new Set(['jpeg', 'png', 'webp']);

/** Loaded with the first picture, as it takes 20 MB. One thread per picture leaves other cores free. */
const loadSharp = async () => {
  const { default: sharp } = await import('sharp');
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
};

/**
 * JPEG of quality 88 within a square of `box` pixels, upright and without metadata. Null for pictures larger than 50
 * megapixels, and for files that are not a complete JPEG, PNG or WebP.
 */
export const resizePicture = async (content: Uint8Array, box: number): Promise<Buffer | null> => {
  const sharp = await loadSharp();
  try {
    const picture = sharp(content, { limitInputPixels: maxPicturePixels, failOn: 'error' });
    if (!formats.has((await picture.metadata()).format)) return null;
    return await picture
      .autoOrient()
      .resize({ width: box, height: box, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .jpeg({ quality: 88 })
      .timeout({ seconds: limitSeconds })
      .toBuffer();
  } catch (error) {
    // The library reports every problem of the content as a plain error; the picture is its only input.
    if (error instanceof Error) return null;
    throw error;
  }
};
