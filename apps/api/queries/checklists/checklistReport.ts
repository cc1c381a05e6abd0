import { z } from 'zod';
import { readableIdField } from '#domain/checklists/ids.ts';
import { assertReportable, maxReportLength, reportReasons } from '#domain/checklists/rules.ts';
import { optionalTextField } from '#domain/fields/index.ts';
import { checklistWrites } from '#store/postgres/checklists/checklists.ts';
import { checklistReportWrites } from '#store/postgres/checklists/reports.ts';
import { idErrors, resolveId } from './common/checklist.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'checklistReport',
  spec: ['2.2', '4.1'],
  summary: 'Reports a checklist that does not belong in the community to the operator.',
  limits: [{ name: 'checklistReport', points: 20, perSeconds: 86_400, by: 'user' }],
  dialect: 'checklist',
  errors: {
    ...idErrors,
    INVALID_FIELD: 400,
    INVALID_REASON: { status: 400, message: `reason must be one of ${reportReasons.join(', ')}.` },
    CANNOT_REPORT_OWN: { status: 403, message: 'This checklist is your own or that of your airline.' },
    NOT_SHARED: { status: 403, message: 'Only checklists shared with the community can be reported.' },
    ALREADY_REPORTED: { status: 409, message: 'You have reported this checklist; the report is still open.' },
    DB_ERROR: 500,
  },
  input: z.strictObject({
    checklistId: readableIdField(),
    reason: z.enum(reportReasons, 'INVALID_REASON'),
    description: optionalTextField(maxReportLength),
  }),
  output: z.strictObject({ checklistId: z.string(), reportId: z.int() }),
  tx: 'write',
  example: {
    checklistId: '00000000-0000-4000-8000-000000000000',
    reason: 'WRONG',
    description: 'The flaps stay up for the takeoff.',
  },
  handler: async ({
    input: { checklistId, reason, description },
    caller,
    db,
    now,
    builtInChecklists,
    fail,
  }) => {
    const found = resolveId(checklistId, builtInChecklists);
    if ('builtIn' in found)
      throw fail('NOT_SHARED', { hint: 'a built-in checklist is ours: tell us with submitFeedback' });
    const checklist = await checklistWrites(db).hold(found.stored);
    if (!checklist) throw fail('NOT_FOUND');
    assertReportable(checklist, caller);
    const report = {
      checklistId: found.stored,
      userId: caller.userId,
      reason,
      description: description ?? null,
    };
    const reportId = await checklistReportWrites(db).open(report, now);
    if (reportId === null) throw fail('ALREADY_REPORTED');
    return { checklistId: found.stored, reportId };
  },
});
