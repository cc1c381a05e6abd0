import type { FileStorage } from '#domain/ports.ts';

type Row = Record<string, unknown>;

/** The export is one text in memory. */
const maxExportedBytes = 33_554_432;

/**
 * Exported rows of `fleet_profile`, each with the JSON of its file as `profile_data`: null after 32 MB, and for a file that
 * is missing or was replaced since the row was read.
 */
export const withProfileData = async (
  storage: Pick<FileStorage, 'get'>,
  rows: readonly Row[],
  maxBytes = maxExportedBytes,
): Promise<Row[]> => {
  const exported: Row[] = [];
  let bytesLeft = maxBytes;
  // One after the other: a large fleet must not open hundreds of files at once.
  for (const row of rows) {
    const file = bytesLeft > 0 ? await storage.get(String(row['storage_key'])) : null;
    bytesLeft -= file?.byteLength ?? 0;
    const data: unknown = file && JSON.parse(Buffer.from(file).toString('utf8'));
    exported.push({ ...row, profile_data: data });
  }
  return exported;
};
