/** Content types that the library accepts (M-4.4.q2a, M-8.8), detected from the content. */
export const mediaTypes = {
  'application/pdf': { kind: 'file', extensions: ['pdf'] },
  'image/jpeg': { kind: 'image', extensions: ['jpg', 'jpeg', 'jpe', 'jfif'] },
  'image/png': { kind: 'image', extensions: ['png'] },
  'image/gif': { kind: 'image', extensions: ['gif'] },
  'image/webp': { kind: 'image', extensions: ['webp'] },
  'image/svg+xml': { kind: 'image', extensions: ['svg'] },
} as const satisfies Record<string, { kind: 'file' | 'image'; extensions: readonly [string, ...string[]] }>;

export type MediaType = keyof typeof mediaTypes;

export const mediaTypeNames = Object.keys(mediaTypes) as MediaType[];

export const isMediaType = (type: string): type is MediaType => Object.hasOwn(mediaTypes, type);

/** The download name of a file: its own, with an extension for its content. */
export const downloadName = (name: string, type: MediaType): string => {
  const { extensions } = mediaTypes[type];
  const own = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return extensions.some((extension) => extension === own) ? name : `${name}.${extensions[0]}`;
};
