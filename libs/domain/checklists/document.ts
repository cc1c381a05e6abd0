/**
 * The checklist document: pages with items. Limits are those of G-14; unknown keys are kept, so that documents are
 * returned as saved.
 */
import { z } from 'zod';
import { inputSchemaOf, listField } from '../fields/list.ts';
import { atMostCharacters } from '../fields/text.ts';
import { maxId } from '../fields/number.ts';

export const maxPages = 100;
export const maxItems = 500;
export const maxTextLength = 500;
export const maxNoteLength = 2_000;
export const maxDocumentBytes = 524_288;
/** Enough to find the cause. */
const maxProblems = 100;

const code = 'INVALID_STRUCTURE';
const textOf = (max: number) => atMostCharacters(z.string(code), max, code);
const orderSchema = z.int(code).min(0, code).max(maxId, code).describe('numbers need not be contiguous');

const itemSchema = z.looseObject({
  challenge: textOf(maxTextLength),
  order: orderSchema,
  response: textOf(maxTextLength),
  isLine: z
    .boolean(code)
    .describe('true for a line in the checklist: the items above it are completed first'),
  selfDetected: z.boolean(code).describe('true when a client may tick it from the simulator state'),
  note: textOf(maxNoteLength).nullish(),
});

const pageSchema = z.looseObject({
  title: textOf(maxTextLength),
  order: orderSchema,
  items: listField(itemSchema, { max: maxItems }, { missing: code, invalid: code }),
});

/** Structure and limits of a document, without the total size limit. */
export const checklistDocumentSchema = z.looseObject({
  name: textOf(maxTextLength).describe('Name stored in the document.'),
  version: textOf(maxTextLength).nullish().describe('Version stored in the document, free text.'),
  checklists: listField(pageSchema, { min: 1, max: maxPages }, { missing: code, invalid: code }).describe(
    'Pages of the checklist, at least one.',
  ),
});

export type ChecklistDocument = z.output<typeof checklistDocumentSchema>;

/** As saved: a document without a name gets the checklist's. */
const savedDocumentSchema = checklistDocumentSchema.extend({
  name: checklistDocumentSchema.shape.name.optional(),
});

/** For `/api/schemas/checklist.json`; `maxBytes` is the size of the document as JSON in UTF-8. */
export const checklistJsonSchema = (schema: z.ZodType = checklistDocumentSchema) => ({
  ...inputSchemaOf(schema),
  maxBytes: maxDocumentBytes,
});

const bytesOf = (value: unknown): number => {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? 0 : new TextEncoder().encode(text).length;
};

const documentOf = (schema: z.ZodType) =>
  z
    .unknown()
    .check(({ value, issues }) => {
      const bound = { code: 'too_big', origin: 'file', maximum: maxDocumentBytes, inclusive: true } as const;
      if (bytesOf(value) > maxDocumentBytes) issues.push({ ...bound, input: value, message: code });
      const { error } = schema.safeParse(value);
      for (const issue of error?.issues.slice(0, maxProblems) ?? [])
        issues.push({ ...issue, input: value, message: code } as z.core.$ZodRawIssue);
    })
    .meta(checklistJsonSchema(schema));

/** Validates a document and returns it unchanged. Every problem is INVALID_STRUCTURE with its path. */
export const documentOutputSchema = documentOf(checklistDocumentSchema);

/** Validates a document that may lack a name. */
export const documentField = () =>
  documentOf(savedDocumentSchema).transform(
    (value) => value as Pick<ChecklistDocument, 'version' | 'checklists'> & { name?: string },
  );

/** The stored contents of a checklist. */
export interface ChecklistContents {
  name: string;
  version: string;
  description: string | null;
  aircraftTypes: string[];
  basedOn: string | null;
  /** Current revision of the original; null: unknown. */
  originRevision: number | null;
  shareCommunity: boolean;
  document: ChecklistDocument;
}

/** Undefined fields stay unchanged. */
export type ChecklistChanges = Pick<ChecklistContents, 'name' | 'document'> & {
  [K in Exclude<keyof ChecklistContents, 'name' | 'document'>]?: ChecklistContents[K] | undefined;
} & {
  /** The original's revision that the client has last compared. */
  comparedRevision?: number | undefined;
};

const maxAircraftTypes = 20;
const invalidType = 'INVALID_FIELD';
const designator = /^[A-Z][A-Z\d]{1,3}$/;

export const isAircraftType = (text: string): boolean => designator.test(text);

/** In upper case, without duplicates. */
export const aircraftTypesField = () =>
  listField(
    z.string(invalidType).trim().toUpperCase().regex(designator, invalidType).meta({ maxLength: 4 }),
    { max: maxAircraftTypes },
    { missing: invalidType, invalid: invalidType },
  )
    .transform((types) => [...new Set(types)])
    .optional()
    .describe(
      'ICAO type designators; if absent, a new copy takes those of its original and a stored checklist keeps its own',
    );

/** For answers. */
export const aircraftTypesSchema = z
  .array(z.string())
  .describe('ICAO type designators of the aircraft it is for');
