/** Checklist files, as exported and imported by apps. */
import { z } from 'zod';
import { aircraftTypesField, maxDocumentBytes } from './document.ts';
import type { ChecklistDocument } from './document.ts';

export const checklistFormats = ['JSON', 'CSV', 'PDF'] as const;
export const importFormats = ['JSON', 'CSV'] as const;

/** In UTF-8, with room for whitespace. */
export const maxFileBytes = 2 * maxDocumentBytes;
/** Enough to correct a file. */
export const maxFileProblems = 100;

/** What a file contains about a checklist besides the document. */
export interface ChecklistHead {
  name: string;
  version: string;
  description: string | null;
  aircraftTypes: readonly string[];
}

/** Place of a problem: a line of the file, or a path in the document. */
export const fileProblemSchema = z.strictObject({
  line: z.int().nullable().describe('line number in the file, from 1'),
  place: z.string().nullable().describe('column of a CSV file, or the path within a JSON file'),
  message: z.string(),
});
export type FileProblem = z.output<typeof fileProblemSchema>;

export type FileHead = { [K in keyof ChecklistHead]?: ChecklistHead[K] | undefined };

/** The file's contents, or what is wrong with it; the document is validated when it is saved. */
export type FileReading = { file: { head: FileHead; document: unknown } } | { problems: FileProblem[] };

export const fileKind = 'efb-checklist';
const code = 'INVALID_FIELD';

/** Envelope of a document in JSON; a bare document is accepted, too. */
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

/** `My_A320.csv`: a name that every file system accepts. */
export const fileNameOf = (name: string, ending: string): string => {
  const plain = name
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 60);
  return `${plain || 'checklist'}.${ending}`;
};
