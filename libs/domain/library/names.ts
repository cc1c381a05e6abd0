/** Names of folders and files, which clients may use as file names on disk. */
import { z } from 'zod';
import { idField, lengthOf, optionalTextField, requiredTextField } from '../fields/index.ts';
import { isPrintable } from '../text/controls.ts';

export const maxFolderName = 100;
export const maxFileName = 255;

const isSafeName = (name: string): boolean =>
  isPrintable(name) && !/[/\\]/.test(name) && name !== '.' && name !== '..';

const nameCodes = { missing: 'MISSING_NAME', invalid: 'INVALID_NAME' };

/** Required name; MISSING_NAME, or INVALID_NAME if it is too long or no valid file name. */
export const nameField = (max: number) =>
  requiredTextField(max, nameCodes).refine(isSafeName, 'INVALID_NAME');

/** Optional name: undefined, null or blank. */
export const maybeNameField = (max: number) =>
  optionalTextField(max, nameCodes).refine((name) => isSafeName(name ?? ''), 'INVALID_NAME');

export const folderIdField = () => idField({ invalid: 'FOLDER_NOT_FOUND' });
export const fileIdField = () => idField({ invalid: 'FILE_NOT_FOUND' });

export const minProductLevelField = () =>
  z.int('INVALID_FIELD').min(0, 'INVALID_FIELD').max(1_000, 'INVALID_FIELD');

/** The name of an uploaded file, without path and forbidden characters, shortened; 'file' if nothing remains. */
export const nameOfFile = (given: string): string => {
  const base = given.slice(-4_096).split(/[/\\]/).at(-1) ?? '';
  const clean = Array.from(base.toWellFormed().normalize())
    .filter((character) => isSafeName(`x${character}`))
    .join('')
    .trim();
  const dot = clean.lastIndexOf('.');
  const extension = dot > 0 && clean.length - dot <= 16 ? clean.slice(dot) : '';
  const stem = Array.from(clean.slice(0, clean.length - extension.length));
  const name = `${stem.slice(0, maxFileName - lengthOf(extension)).join('')}${extension}`;
  return isSafeName(name) && name !== '' ? name : 'file';
};
