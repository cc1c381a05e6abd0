import type { FileStorage } from '#domain/ports.ts';

/** An exported row of `fleet_profile` with the JSON of its file as `profile_data`; null: it was replaced since the row was read. */
export const withProfileData = async (storage: Pick<FileStorage, 'get'>, json: string): Promise<string> => {
  const row = JSON.parse(json) as Record<string, unknown>;
  const file = await storage.get(String(row['storage_key']));
  const data: unknown = file && JSON.parse(Buffer.from(file).toString('utf8'));
  return JSON.stringify({ ...row, profile_data: data });
};
