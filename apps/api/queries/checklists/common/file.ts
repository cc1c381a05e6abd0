/** A checklist that is read from a file, with what is wrong with it in words. */
import { z } from 'zod';
import type { documentField } from '#domain/checklists/document.ts';
import { fileProblemSchema, maxFileBytes, maxFileProblems } from '#domain/checklists/file.ts';
import type { ChecklistHead, FileProblem, importFormats } from '#domain/checklists/file.ts';
import { readChecklistCsv } from '#data/checklists/files/csv-read.ts';
import { readChecklistJson } from '#data/checklists/files/json.ts';
import { findUnstorable } from '#domain/text/storable.ts';
import { assertBounded } from '../../../http/json.ts';
import { expectation } from '../../../stages/validate.ts';

export const fileErrors = {
  CHECKLIST_FILE_TOO_LARGE: { status: 413, message: `The file has more than ${maxFileBytes} bytes.` },
  INVALID_CHECKLIST_FILE: {
    status: 400,
    message: 'The file is not a checklist; `problems` says what is wrong and where.',
    extra: z.strictObject({ problems: z.array(fileProblemSchema).max(maxFileProblems) }),
  },
} as const;

const readers = { JSON: readChecklistJson, CSV: readChecklistCsv } as const;

type DocumentField = ReturnType<typeof documentField>;

type FileRead =
  | { head: Partial<ChecklistHead>; document: z.output<DocumentField> }
  | { problems: FileProblem[] };

export const fileRead = (
  { format, content }: { format: (typeof importFormats)[number]; content: string },
  field: DocumentField,
): FileRead => {
  // As every body: what is in a text is parsed here for the first time.
  if (format === 'JSON') assertBounded(Buffer.from(content));
  const reading = readers[format](content);
  if ('problems' in reading) return { problems: reading.problems.slice(0, maxFileProblems) };
  const { head, document } = reading.file;
  const { data, error } = field.safeParse(document);
  const unstorable = findUnstorable(head) ?? findUnstorable(document);
  if (unstorable) {
    const { path, problem } = unstorable;
    return {
      problems: [{ line: null, place: path, message: `contains ${problem}, which cannot be stored` }],
    };
  }
  if (!error) return { head, document: data };
  const problems = error.issues.slice(0, maxFileProblems).map((issue) => ({
    line: null,
    place: issue.path.map(String).join('.') || null,
    message: expectation(issue),
  }));
  return { problems };
};
