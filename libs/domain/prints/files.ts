/** Files of a print: names, URLs and storage keys. */
import { z } from 'zod';
import { addSeconds } from '../time.ts';

/** The part of a print's content shown by each file. */
export const shownBy = {
  'briefing.pdf': 'document',
  'profile.png': 'profile',
  'profile-dark.png': 'profile',
  'checklist.pdf': 'checklist',
  'map.png': 'map',
  'map-dark.png': 'map',
} as const;
export type PrintFile = keyof typeof shownBy;
export const printFiles = Object.keys(shownBy) as [PrintFile, ...PrintFile[]];

/** How long a print and its files are kept. */
export const printDays = 7;
/** How many prints are kept per user, the latest ones. */
export const maxPrints = 20;

/** URL of a file, protected by its random id. */
const printUrl = (baseUrl: string, id: string, file: PrintFile): string => `${baseUrl}/prints/${id}/${file}`;

export const printKey = (id: string, file: PrintFile): string => `prints/${id}/${file}`;

const printExpiry = (now: Date): string => addSeconds(now, printDays * 86_400).toISOString();

const address = (what: string) => z.string().describe(`URL of ${what}; drawn when first fetched`);
const expiresAtSchema = z.string().describe('when the file URLs expire, ISO 8601');

export const profileFilesSchema = z.strictObject({
  png: address('the drawing as PNG, light'),
  pngDark: address('the same drawing in dark colours'),
  expiresAt: expiresAtSchema,
});

export const briefingFilesSchema = z.strictObject({
  pdf: address('the briefing as a two-page PDF'),
  profilePng: address('the vertical profile of the route, light').nullable(),
  profilePngDark: address('the same drawing in dark colours').nullable(),
  expiresAt: expiresAtSchema,
});

export const checklistFileOf = (baseUrl: string, id: string, now: Date) => ({
  url: printUrl(baseUrl, id, 'checklist.pdf'),
  expiresAt: printExpiry(now),
});

/** A drawing of the route, `map` or `profile`. */
export const drawingFilesOf = (
  baseUrl: string,
  id: string,
  name: 'map' | 'profile',
  now: Date,
): z.input<typeof profileFilesSchema> => ({
  png: printUrl(baseUrl, id, `${name}.png`),
  pngDark: printUrl(baseUrl, id, `${name}-dark.png`),
  expiresAt: printExpiry(now),
});

export const briefingFilesOf = (
  baseUrl: string,
  id: string,
  hasProfile: boolean,
  now: Date,
): z.input<typeof briefingFilesSchema> => ({
  pdf: printUrl(baseUrl, id, 'briefing.pdf'),
  profilePng: hasProfile ? printUrl(baseUrl, id, 'profile.png') : null,
  profilePngDark: hasProfile ? printUrl(baseUrl, id, 'profile-dark.png') : null,
  expiresAt: printExpiry(now),
});
