/** Airline logos: a URL on another server, or a stored image. */
export const logoTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;
export type LogoType = (typeof logoTypes)[number];

export const maxLogoBytes = 524_288;

const storedLogo = /^logos\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/;

/** Path of a stored logo, which the airline refers to. Each has a new id, so a URL never shows another. */
export const logoPath = (id: string): string => `logos/${id}`;

/** The id in a stored logo's path; null for any other text. */
export const logoIdOf = (path: string): string | null => storedLogo.exec(path)?.[1] ?? null;

export const logoUrl = (baseUrl: string, logo: string): string =>
  logoIdOf(logo) === null ? logo : `${baseUrl}/${logo}`;
