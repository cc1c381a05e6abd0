/** Forms of checklist ids (section 2.2): a uuid, `default:{folder}:{file}`, or the bare file name of a built-in one. */
import type { BuiltInChecklist, BuiltInChecklists } from './built-in.ts';
import { optionalTextField, requiredTextField } from '../fields/text.ts';

export const maxIdLength = 200;

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const builtInId = /^default:\d+(?:\.\d+){0,3}:([^:]+)$/;
const fileName = /^[\w.-]+$/;
export const builtInPrefix = 'default:';

export type FoundId = { stored: string } | { builtIn: BuiltInChecklist };

/** Null for a text that is no id. The folder of an older version is accepted. */
export const findId = (text: string, builtIns: BuiltInChecklists): FoundId | null => {
  if (uuid.test(text)) return { stored: text.toLowerCase() };
  const name = builtInId.exec(text)?.[1] ?? text;
  const builtIn = builtIns.find(({ file }) => file === name);
  return builtIn ? { builtIn } : null;
};

export const idOfBuiltIn = (apiVersion: string, file: string): string =>
  `${builtInPrefix}${apiVersion}:${file}`;

/** An id of any form. */
export const readableIdField = () =>
  requiredTextField(maxIdLength, { missing: 'MISSING_CHECKLIST_ID', invalid: 'INVALID_CHECKLIST_ID' });

/** A uuid; ids of built-in checklists are READ_ONLY_DEFAULT. */
export const writableIdField = () =>
  readableIdField()
    .refine((text) => !text.startsWith(builtInPrefix), { error: 'READ_ONLY_DEFAULT', abort: true })
    .regex(uuid, 'INVALID_CHECKLIST_ID')
    .toLowerCase();

/** The id of the checklist that this one was copied from; undefined if absent, null for none. */
export const basedOnField = () =>
  optionalTextField(maxIdLength, { invalid: 'INVALID_CHECKLIST_ID' }).refine(
    (text) => typeof text !== 'string' || uuid.test(text) || builtInId.test(text) || fileName.test(text),
    'INVALID_CHECKLIST_ID',
  );
