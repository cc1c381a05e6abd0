/** Rules of the library (2.5, G-09). Each throws the error code of its violation. */
import { DomainError } from '../errors.ts';
import type { EntryType, LibraryFile, LibraryFolder } from './objects.ts';
import { bytesPerMb, maxEntries, quotaBytes } from './space.ts';

/** The entry, which must exist and belong to the user: only such entries may be changed (M-2.5.2c). */
export const ownEntry = <E extends LibraryFolder | LibraryFile>(found: E | null, missing: string): E => {
  if (!found) throw new DomainError(missing);
  if (found.ownerType !== 'user')
    throw new DomainError('READ_ONLY', {}, 'Items of the service or of an airline are read-only.');
  return found;
};

/** A user's files are in the user's own folders or in folders of the service (M-4.4.q2e). */
export const assertTakesFiles = (folder: LibraryFolder | null): void => {
  if (!folder) throw new DomainError('FOLDER_NOT_FOUND');
  if (folder.ownerType === 'va')
    throw new DomainError('READ_ONLY', {}, 'Folders of an airline are read-only.');
};

/** Content is replaced by the same kind: a file by a file, a link by a link. */
export const assertSameKind = (before: EntryType, after: EntryType): void => {
  if ((before === 'video_url') === (after === 'video_url')) return;
  const message =
    before === 'video_url' ? 'fileId: this is a link, send a url.' : 'fileId: this is a file, send a file.';
  throw new DomainError('INVALID_INPUT', {}, message);
};

export const assertRoomFor = (kind: keyof typeof maxEntries, count: number): void => {
  if (count >= maxEntries[kind]) throw new DomainError('LIBRARY_FULL', { maxEntries: maxEntries[kind] });
};

export const assertStorage = (quotaMb: number): void => {
  if (quotaMb === 0) throw new DomainError('STORAGE_NOT_INCLUDED');
};

export const overQuota = (usedBytes: number, quotaMb: number, fileBytes: number): DomainError =>
  new DomainError(
    'QUOTA_EXCEEDED',
    { usedBytes, quotaMb, fileBytes },
    `A file of ${fileBytes} bytes does not fit: ${usedBytes} of ${quotaBytes(quotaMb)} bytes (${quotaMb} MB) are used.`,
  );

/** `replacedBytes`: size of the replaced content; `quotaMb` null: unlimited. */
export const assertFits = (
  { usedBytes, quotaMb }: { usedBytes: number; quotaMb: number | null },
  fileBytes: number,
  replacedBytes: number,
): void => {
  if (quotaMb === null || fileBytes === 0) return;
  assertStorage(quotaMb);
  const isLarger = fileBytes > replacedBytes;
  if (isLarger && usedBytes - replacedBytes + fileBytes > quotaBytes(quotaMb))
    throw overQuota(usedBytes, quotaMb, fileBytes);
};

/** Bytes available for a new file. */
export const remainingBytes = (usedBytes: number, quotaMb: number, replacedBytes: number): number =>
  Math.max(replacedBytes, quotaMb * bytesPerMb - usedBytes + replacedBytes);
