/** Folder and file objects of the library (M-2.5.d, M-2.5.f), in which every value is a text. */
import { z } from 'zod';
import { wireTime, wireTimeOrNull } from '../time.ts';

export const ownerTypes = ['system', 'va', 'user'] as const;
type OwnerType = (typeof ownerTypes)[number];
export type EntryType = 'file' | 'image' | 'video_url';

interface Entry {
  id: number;
  name: string;
  minProductLevel: number;
  ownerType: OwnerType;
  ownerId: number | null;
  revision: number;
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
/** A text, like every value in these objects. */
export const revisionTextSchema = z
  .string()
  .describe(
    'raised by each change of the entry and never reused; send it as `expectedVersion` to guard the next change',
  );
const minLevelTextSchema = z
  .string()
  .describe('Lowest subscription level that can see the entry, as text; 0: every level.');
const times = { createdAt: z.string(), updatedAt: z.string(), revision: revisionTextSchema };

export const folderObjectSchema = z.strictObject({
  id: z.string().describe('Id of the folder, as text.'),
  parentId: z.string().nullable().describe('Id of the folder that contains it, as text; null at the root.'),
  name: z.string().describe('Name of the folder.'),
  ...owner,
  minProductLevel: minLevelTextSchema,
  sortOrder: z.string(),
  ...times,
  /** In incremental syncs only (G-11). */
  deletedAt: z.string().nullable().optional(),
});

export const fileObjectSchema = z.strictObject({
  id: z.string().describe('Id of the file, as text.'),
  folderId: z
    .string()
    .nullable()
    .describe(
      "id of the folder; null: the root, or a folder that the subscription level hides from the file's owner",
    ),
  name: z.string().describe('Name of the entry.'),
  type: z.enum(['file', 'image', 'video_url']).describe('`file` (PDF), `image`, or `video_url` for a link.'),
  mimeType: z.string().nullable(),
  filePath: z.string().nullable(),
  url: z.string().nullable().describe('URL of the link; null for files.'),
  fileSize: z.string(),
  fileHash: z.string().nullable(),
  version: z.string().describe('Version number of the content as text, raised when the content is replaced.'),
  minProductLevel: minLevelTextSchema,
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
  revision: String(folder.revision),
  ...(isIncremental ? { deletedAt: wireTimeOrNull(folder.deletedAt) } : {}),
});

/** Deleted files have no download link. */
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
    revision: String(file.revision),
    deletedAt: wireTimeOrNull(file.deletedAt),
    ...(path === null ? {} : { downloadUrl: urlOf(file) }),
  };
};
