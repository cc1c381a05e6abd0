import { z } from 'zod';
import { aircraftTypesField, documentField } from '#domain/checklists/document.ts';
import { importFormats, maxFileBytes } from '#domain/checklists/file.ts';
import { alreadyField, clientIdField } from '#domain/fields/client-id.ts';
import { optionalTextField, textField } from '#domain/fields/index.ts';
import { revisionSchema } from '#domain/fields/revision.ts';
import { wireTime } from '#domain/time.ts';
import { isPrintable } from '#domain/text/controls.ts';
import { vaFields } from '#domain/virtual-airlines/fields.ts';
import { fileErrors, fileRead, ownerOf, writeErrors } from './common/checklist.ts';
import { createsChecklist, fullError, saveChecklist, standardVersion } from './common/save.ts';
import { storageErrors } from '../users/common/users.ts';
import { vaErrors } from '../virtual-airlines/common/va.ts';
import { defineQuery } from '../../define.ts';

const { INVALID_FIELD, DB_ERROR, NOT_FOUND } = writeErrors;

export default defineQuery({
  name: 'checklistImport',
  spec: ['2.2', '4.1'],
  summary: 'Creates a checklist from a file: JSON exported here, a bare document, or CSV.',
  maxBodyBytes: 4 * maxFileBytes,
  dialect: 'checklist',
  errors: {
    ...vaErrors,
    NOT_FOUND,
    DB_ERROR,
    INVALID_FIELD,
    ...storageErrors,
    CHECKLISTS_FULL: fullError,
    MISSING_FIELD: 400,
    INVALID_NAME: {
      status: 400,
      message: 'name is longer than 150 characters, or has invisible characters or line breaks.',
    },
    INVALID_VERSION: { status: 400, message: 'version must be a text of at most 30 characters.' },
    ...fileErrors,
  },
  input: z.strictObject({
    format: z.enum(importFormats, 'INVALID_FIELD'),
    content: textField(maxFileBytes, {
      missing: 'MISSING_FIELD',
      invalid: 'CHECKLIST_FILE_TOO_LARGE',
    }).describe('the file as text'),
    name: optionalTextField(150, { invalid: 'INVALID_NAME' }).describe(
      'name of the checklist; if absent, the name in the file, or "Imported checklist" for CSV without one',
    ),
    version: optionalTextField(30, { invalid: 'INVALID_VERSION' }),
    description: optionalTextField(255),
    aircraftTypes: aircraftTypesField(),
    clientId: clientIdField(),
    ...vaFields(),
  }),
  output: z.strictObject({
    checklistId: z.string(),
    revision: revisionSchema,
    updatedAt: z.string(),
    saved: z.boolean(),
    ...alreadyField,
  }),
  tx: 'write',
  example: {
    format: 'CSV',
    name: 'My A320',
    content: 'page,challenge,response,line\nBefore start,Beacon,On,no\nBefore start,Doors,Closed,yes\n',
  },
  creates: { ...createsChecklist, edits: [] },
  handler: async (ctx) => {
    const { input, caller, db, now, fail } = ctx;
    const owner = await ownerOf(db, caller.userId, input);
    if (Buffer.byteLength(input.content) > maxFileBytes) throw fail('CHECKLIST_FILE_TOO_LARGE');
    const read = fileRead(input, documentField());
    if ('problems' in read) throw fail('INVALID_CHECKLIST_FILE', { extra: read });
    const { head, document } = read;
    const name = (input.name ?? head.name?.trim()) || document.name?.slice(0, 150) || 'Imported checklist';
    if (!isPrintable(name)) throw fail('INVALID_NAME');
    const contents = {
      name,
      version: (input.version ?? head.version) || standardVersion,
      description: input.description ?? head.description,
      aircraftTypes: input.aircraftTypes ?? [...(head.aircraftTypes ?? [])],
      document: { name, ...document },
    };
    const call = { ...ctx, owner, returned: 'head' as const };
    const { deletion: _, ...saved } = await saveChecklist(call, null, {}, contents);
    await ctx.created?.(db, saved.checklistId);
    return { ...saved, updatedAt: wireTime(now), saved: true };
  },
});
