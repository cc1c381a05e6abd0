/** User pictures (M-2.7.i, G-12): slots, limits and keys. */
export const pictureSlots = ['profile', 'alias'] as const;
export type PictureSlot = (typeof pictureSlots)[number];

/** Maximum size of the stored picture in pixels; smaller pictures are not enlarged. */
export const pictureBoxes: Readonly<Record<PictureSlot, number>> = { profile: 512, alias: 1024 };

/** Larger pictures are refused before decoding: 5 MB may expand to gigabytes. */
export const maxPicturePixels = 50_000_000;
export const maxPictureBytes = 5 * 1024 * 1024;
export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp'] as const;

/** Storage key and URL path. Each upload has a new id, so a URL never shows another picture. */
export const pictureKey = (uploadId: string): string => `pictures/${uploadId}.jpg`;

/** `key`: null for the neutral drawing. */
export const pictureUrl = (baseUrl: string, key: string | null, slot: PictureSlot): string =>
  `${baseUrl}/${key ?? `pictures/default-${slot}.svg`}`;
