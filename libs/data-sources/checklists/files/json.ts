import type { ChecklistDocument } from '#domain/checklists/document.ts';
import { fileEnvelopeSchema, fileKind } from '#domain/checklists/file.ts';
import { jsonFault, maxExplainedBytes } from '#domain/text/json-fault.ts';
import type { ChecklistHead, FileProblem, FileReading } from '#domain/checklists/file.ts';
import { isRecord } from '#domain/record.ts';

/** Indented for human readers. */
export const checklistJson = (
  { name, version, description, aircraftTypes }: ChecklistHead,
  checklist: ChecklistDocument,
): string =>
  `${JSON.stringify({ format: fileKind, formatVersion: 1, name, version, description, aircraftTypes, checklist }, null, 2)}\n`;

/** Only texts below a size are parsed again to locate the error. */
const faultOf = (text: string): FileProblem => {
  const fault = text.length <= maxExplainedBytes ? jsonFault(text) : 'it cannot be parsed';
  const [, line] = /^line (\d+)/.exec(fault) ?? [];
  return { line: line === undefined ? null : Number(line), place: null, message: `is not JSON: ${fault}` };
};

/** Reads an exported file or a bare document. The caller limits the size. */
export const readChecklistJson = (given: string): FileReading => {
  const text = given.replace(/^\uFEFF/, '');
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { problems: [faultOf(text)] };
  }
  if (!isRecord(parsed)) return { problems: [{ line: null, place: null, message: 'must be an object' }] };
  if (!('format' in parsed)) return { file: { head: {}, document: parsed } };
  const { data, error } = fileEnvelopeSchema.safeParse(parsed);
  if (error)
    return {
      problems: error.issues.map(({ path }) => ({
        line: null,
        place: path.map(String).join('.'),
        message:
          path[0] === 'format' || path[0] === 'formatVersion'
            ? `must be that of a checklist of this service: "${fileKind}", 1`
            : 'is not valid',
      })),
    };
  const { name, version, description, aircraftTypes, checklist } = data;
  return { file: { head: { name, version, description, aircraftTypes }, document: checklist } };
};
