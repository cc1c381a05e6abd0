/** Folder and file objects of the library (M-2.5.d, M-2.5.f): every value is a text. */
import { z } from 'zod';
import { wireTime, wireTimeOrNull } from '../time.ts';

export const ownerTypes = ['system', 'va', 'user'] as const;
export type OwnerType = (typeof ownerTypes)[number];
export type EntryType = 'file' | 'image' | 'video_url';

interface Entry {
  id: number;
  name: string;
  minProductLevel: number;
  ownerType: OwnerType;
  ownerId: number | null;
  createdAt: Date;
  updatedAt: Date;
  deletedAt: Date | null;
}

export interface LibraryFolder extends Entry {
  parentId: number | null;
  sortOrder: number;
}

export interface LibraryFile extends Entry {
  folderId: number | null;
  type: EntryType;
  mimeType: string | null;
  storageKey: string | null;
  url: string | null;
  fileSize: number;
  fileHash: string | null;
  version: number;
}

const owner = { ownerType: z.enum(ownerTypes), ownerId: z.string().nullable() };
const times = { createdAt: z.string(), updatedAt: z.string() };

export const folderObjectSchema = z.strictObject({
  id: z.string(),
  parentId: z.string().nullable(),
  name: z.string(),
  ...owner,
  minProductLevel: z.string(),
  sortOrder: z.string(),
  ...times,
  /** Only in an incremental sync (G-11). */
  deletedAt: z.string().nullable().optional(),
});

export const fileObjectSchema = z.strictObject({
  id: z.string(),
  folderId: z.string().nullable(),
  name: z.string(),
  type: z.enum(['file', 'image', 'video_url']),
  mimeType: z.string().nullable(),
  filePath: z.string().nullable(),
  url: z.string().nullable(),
  fileSize: z.string(),
  fileHash: z.string().nullable(),
  version: z.string(),
  minProductLevel: z.string(),
  ...owner,
  ...times,
  deletedAt: z.string().nullable(),
  /** Only with `filePath`. */
  downloadUrl: z.url().optional(),
});

export const textOrNull = (value: number | null): string | null => (value === null ? null : String(value));

export const folderObject = (
  folder: LibraryFolder,
  isIncremental: boolean,
): z.input<typeof folderObjectSchema> => ({
  id: String(folder.id),
  parentId: textOrNull(folder.parentId),
  name: folder.name,
  ownerType: folder.ownerType,
  ownerId: textOrNull(folder.ownerId),
  minProductLevel: String(folder.minProductLevel),
  sortOrder: String(folder.sortOrder),
  createdAt: wireTime(folder.createdAt),
  updatedAt: wireTime(folder.updatedAt),
  ...(isIncremental ? { deletedAt: wireTimeOrNull(folder.deletedAt) } : {}),
});

/** Of a deleted file there is nothing to download. */
export const fileObject = (
  file: LibraryFile,
  urlOf: (file: LibraryFile) => string,
): z.input<typeof fileObjectSchema> => {
  const path = file.deletedAt === null ? file.storageKey : null;
  return {
    id: String(file.id),
    folderId: textOrNull(file.folderId),
    name: file.name,
    type: file.type,
    mimeType: file.mimeType,
    filePath: path,
    url: file.url,
    fileSize: String(file.fileSize),
    fileHash: file.fileHash,
    version: String(file.version),
    minProductLevel: String(file.minProductLevel),
    ownerType: file.ownerType,
    ownerId: textOrNull(file.ownerId),
    createdAt: wireTime(file.createdAt),
    updatedAt: wireTime(file.updatedAt),
    deletedAt: wireTimeOrNull(file.deletedAt),
    ...(path === null ? {} : { downloadUrl: urlOf(file) }),
  };
};
