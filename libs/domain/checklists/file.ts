/** Files of checklists: what an app exports and imports. */
import { z } from 'zod';
import { aircraftTypesField } from './aircraft-types.ts';
import type { ChecklistDocument } from './document.ts';
import { maxDocumentBytes } from './document.ts';

export const checklistFormats = ['JSON', 'CSV', 'PDF'] as const;
export const importFormats = ['JSON', 'CSV'] as const;

/** In UTF-8: room for the spaces and line ends of a whole document. */
export const maxFileBytes = 2 * maxDocumentBytes;
/** Enough to correct a file. */
export const maxFileProblems = 100;

/** What a file says of a checklist besides its document. */
export interface ChecklistHead {
  name: string;
  version: string;
  description: string | null;
  aircraftTypes: readonly string[];
}

/** Where something is wrong: a line of the file, or the place in the document. */
export const fileProblemSchema = z.strictObject({
  line: z.int().nullable().describe('line of the file, from 1'),
  place: z.string().nullable().describe('column of a CSV file, or the path within a JSON file'),
  message: z.string(),
});
export type FileProblem = z.output<typeof fileProblemSchema>;

/** What was read; the document is checked by whoever saves it. */
interface ReadFile {
  head: Partial<ChecklistHead>;
  document: unknown;
}

export type FileReading = { file: ReadFile } | { problems: FileProblem[] };

export const fileKind = 'efb-checklist';
const code = 'INVALID_FIELD';

/** Around a document in JSON; the document alone is taken, too. */
export const fileEnvelopeSchema = z.looseObject({
  format: z.literal(fileKind),
  formatVersion: z.literal(1, code),
  name: z.string(code).max(150, code).optional(),
  version: z.string(code).max(30, code).optional(),
  description: z.string(code).max(255, code).nullish(),
  aircraftTypes: aircraftTypesField(),
  checklist: z.unknown(),
});

/** A page of an exported or printed checklist. */
export type FilePages = ChecklistDocument['checklists'];

/** `My_A320.csv`: what every file system takes. */
export const fileNameOf = (name: string, ending: string): string => {
  const plain = name
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 60);
  return `${plain || 'checklist'}.${ending}`;
};
