/** Forms of checklist ids (section 2.2): a uuid, `default:{folder}:{file}`, or the bare file name of a built-in one. */
import type { BuiltInChecklist, BuiltInChecklists } from './built-in.ts';
import { optionalTextField, requiredTextField } from '../fields/text.ts';

export const maxIdLength = 200;

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const builtInId = /^default:(\d+(?:\.\d+){0,3}):([^:]+)$/;
const fileName = /^[\w.-]+$/;
const builtInPrefix = 'default:';

type ChecklistId =
  | { kind: 'stored'; id: string }
  /** `isBare`: just a file name, which could be any other text as well. */
  | { kind: 'builtIn'; file: string; isBare: boolean };

/** The folder of an older version is accepted; any other folder is invalid. */
export const parseChecklistId = (text: string): ChecklistId => {
  if (uuid.test(text)) return { kind: 'stored', id: text.toLowerCase() };
  const [, , file] = builtInId.exec(text) ?? [];
  if (file !== undefined) return { kind: 'builtIn', file, isBare: false };
  return { kind: 'builtIn', file: text, isBare: !text.startsWith(builtInPrefix) };
};

/** The built-in checklist with this id, or null. */
export const builtInOf = (text: string, builtIns: BuiltInChecklists): BuiltInChecklist | null => {
  const id = parseChecklistId(text);
  return id.kind === 'builtIn' ? builtIns.find(id.file) : null;
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
