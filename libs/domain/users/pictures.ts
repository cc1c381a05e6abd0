/** Pictures of users (M-2.7.i, G-12): slots, limits and keys. */
export const pictureSlots = ['profile', 'alias'] as const;
export type PictureSlot = (typeof pictureSlots)[number];

/** Largest width and height of the stored picture, in pixels; smaller ones are not enlarged. */
export const pictureBoxes: Readonly<Record<PictureSlot, number>> = { profile: 512, alias: 1024 };

/** A larger picture is refused before it is decoded: a file of 5 MB may expand to gigabytes. */
export const maxPicturePixels = 50_000_000;
export const maxPictureBytes = 5 * 1024 * 1024;
export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp'] as const;

/** Storage key, and path of the URL. Each upload has a new id, so a URL never shows another picture. */
export const pictureKey = (uploadId: string): string => `pictures/${uploadId}.jpg`;

/** `key`: null for the drawing of users without a picture. */
export const pictureUrl = (baseUrl: string, key: string | null, slot: PictureSlot): string =>
  `${baseUrl}/${key ?? `pictures/default-${slot}.svg`}`;
