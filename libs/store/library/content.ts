import { randomUUID } from 'node:crypto';
import { isMediaType, mediaTypes } from '#domain/library/media-types.ts';
import type { VideoLink } from '#domain/library/video-links.ts';
import type { FileContent } from '../postgres/library/files.ts';

/** Storage of a received file, under a key that was never used before. */
export const storedContent = ({ type, bytes, sha256 }: { type: string; bytes: number; sha256: string }) => {
  if (!isMediaType(type)) throw new Error(`the library stores no ${type}`);
  const { kind, extensions } = mediaTypes[type];
  return {
    type: kind,
    mimeType: type,
    storageKey: `library/${randomUUID()}.${extensions[0]}`,
    url: null,
    fileSize: bytes,
    fileHash: sha256,
  } satisfies FileContent;
};

export const linkedContent = ({ url }: VideoLink): FileContent => ({
  type: 'video_url',
  mimeType: null,
  storageKey: null,
  url,
  fileSize: 0,
  fileHash: null,
});
