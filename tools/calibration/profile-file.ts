import { readFile } from 'node:fs/promises';
import { format } from 'oxfmt';
import { standardAircraft } from '#data/aircraft/profiles.ts';
import { writeFileAtomic } from '#platform/files/atomic-file.ts';

const fileOf = (aircraft: string): string => `${standardAircraft}${aircraft}.json`;

/** A profile as in its file, before the schema adds defaults. */
export const readProfile = async (aircraft: string): Promise<Record<string, unknown>> =>
  JSON.parse(await readFile(fileOf(aircraft), 'utf8'));

/** Text of a profile as formatted by `npm run format`, with short lists and objects on one line. */
export const profileText = async (json: object): Promise<string> => {
  const { code, errors } = await format('profile.json', JSON.stringify(json), { printWidth: 110 });
  if (errors.length > 0) throw new Error(errors.map((error) => error.message).join('\n'));
  return code;
};

export const writeProfile = async (aircraft: string, json: object): Promise<void> => {
  await writeFileAtomic(fileOf(aircraft), await profileText(json));
  console.log(`written: ${fileOf(aircraft)}`);
};
