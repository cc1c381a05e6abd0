import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32 } from 'node:zlib';
import { builtInFileSchema } from '#domain/checklists/built-in.ts';
import type { BuiltInChecklist, BuiltInChecklists } from '#domain/checklists/built-in.ts';
import type { ChecklistDocument } from '#domain/checklists/document.ts';

const folder = fileURLToPath(new URL('../../domain/checklists/built-in/', import.meta.url));

const read = async (name: string): Promise<BuiltInChecklist> => {
  const json: unknown = JSON.parse(await readFile(join(folder, name), 'utf8'));
  const parsed = builtInFileSchema.safeParse(json);
  if (!parsed.success)
    throw new Error(`built-in checklist ${name} is not valid: ${parsed.error.issues[0]?.path.join('.')}`);
  const { description, aircraftTypes } = parsed.data;
  // The document as in the file: parsing by the schema would reorder keys.
  const { document } = json as { document: ChecklistDocument };
  const { name: title, version } = parsed.data.document;
  const revision = crc32(JSON.stringify(document));
  const file = name.slice(0, -'.json'.length);
  return { file, name: title, version, description, aircraftTypes, revision, document };
};

/** Reads and validates the built-in checklists; an invalid file prevents startup. */
export const loadBuiltInChecklists = async (): Promise<BuiltInChecklists> => {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json'));
  return (await Promise.all(files.map(read))).toSorted((a, b) => a.name.localeCompare(b.name));
};
