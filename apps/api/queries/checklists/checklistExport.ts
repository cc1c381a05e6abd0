import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { ChecklistDocument } from '#domain/checklists/document.ts';
import { checklistFormats, fileNameOf } from '#domain/checklists/file.ts';
import { readableIdField } from '#domain/checklists/ids.ts';
import { checklistFileOf } from '#domain/prints/files.ts';
import { notPrintedSchema, printableChecklist } from '#domain/prints/printable.ts';
import { checklistCsv } from '#data/checklists/files/csv.ts';
import { checklistJson } from '#data/checklists/files/json.ts';
import { printWrites } from '#store/postgres/prints/prints.ts';
import { readChecklist, readErrors } from './common/checklist.ts';
import { defineQuery } from '../../define.ts';

const mimeTypes = {
  JSON: 'application/json',
  CSV: 'text/csv; charset=utf-8',
  PDF: 'application/pdf',
} as const;

export default defineQuery({
  name: 'checklistExport',
  spec: ['2.2', '4.1'],
  summary: 'A checklist as a file: JSON with everything, CSV for a spreadsheet, or PDF to print.',
  dialect: 'checklist',
  errors: { ...readErrors, INVALID_FIELD: 400 },
  input: z.strictObject({
    checklistId: readableIdField(),
    format: z
      .enum(checklistFormats, 'INVALID_FIELD')
      .describe('format of the file; JSON and CSV can be imported again'),
  }),
  output: z.strictObject({
    checklistId: z.string(),
    format: z.enum(checklistFormats),
    fileName: z.string(),
    mimeType: z.string(),
    content: z.string().nullable().describe('the file as UTF-8 text; null for a PDF'),
    url: z
      .string()
      .nullable()
      .describe('URL of the PDF, which is drawn when first fetched; null for other formats'),
    expiresAt: z.string().nullable().describe('when the PDF URL expires, ISO 8601; null for other formats'),
    notPrinted: notPrintedSchema,
  }),
  // JSON and CSV exports only read; a PDF export stores its content in a separate transaction.
  tx: 'manual',
  example: { checklistId: 'default:1.3.6:a320-family', format: 'CSV' },
  handler: async (ctx) => {
    const { input, caller, config, now, transaction } = ctx;
    const { checklistId, format } = input;
    const { checklist: given, ...head } = await readChecklist(ctx, checklistId);
    const checklist = given as ChecklistDocument;
    const file = {
      checklistId: head.checklistId,
      format,
      fileName: fileNameOf(head.name, format.toLowerCase()),
      mimeType: mimeTypes[format],
    };
    if (format !== 'PDF') {
      const content = format === 'CSV' ? checklistCsv(checklist) : checklistJson(head, checklist);
      return { ...file, content, url: null, expiresAt: null };
    }
    const { name, version, description, aircraftTypes } = head;
    const paper = { name, version, description, aircraftTypes, madeAt: now.toISOString() };
    const { notPrinted, checklist: printed } = printableChecklist({ ...paper, pages: checklist.checklists });
    const id = randomUUID();
    const content = { document: null, profile: null, checklist: printed };
    await transaction((tx) => printWrites(tx).add({ id, userId: caller.userId, content }, now));
    const named = notPrinted.length > 0 ? { notPrinted } : {};
    return { ...file, content: null, ...checklistFileOf(config.BASE_URL, id, now), ...named };
  },
});
