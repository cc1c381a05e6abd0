import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { reportInputSchema } from '#domain/feedback/report.ts';
import { problemReportWrites } from '#store/postgres/reports/reports.ts';
import { requestLogRepo } from '#store/postgres/requests/log.ts';
import { defineQuery } from '../../define.ts';

/** Each process writes its log in batches, so the reported call may not be stored yet. */
const pausesMs = [0, 100, 200, 400, 800];

export default defineQuery({
  name: 'reportQuery',
  spec: ['2.12', '4.9', '7', '8'],
  summary: 'Reports a problem with one of your calls; its log is kept until the report is closed.',
  devKey: { inCall: 'any' },
  limits: [{ name: 'problemReport', points: 120, perSeconds: 3600, by: 'user' }],
  dialect: 'report',
  errors: {
    AUTH_REQUIRED: {
      status: 401,
      message: 'Authentication required. Provide a valid Bearer token in the Authorization header.',
    },
    INVALID_DEV_KEY: 401,
    ACCESS_DENIED: { status: 403, message: 'The developer key is missing: send it as dev_key.' },
    MISSING_FIELD: 400,
    INVALID_FIELD: 400,
    LOG_NOT_FOUND: { status: 404, message: 'Log entry not found or does not belong to this user.' },
    INVALID_SEVERITY: { status: 400, message: 'Invalid severity. Use LOW, MEDIUM, or HIGH.' },
    DESCRIPTION_REQUIRED: { status: 400, message: 'Description is required.' },
    DESCRIPTION_TOO_LONG: { status: 400, message: 'Description is too long: maximum 4000 characters.' },
    RATE_LIMITED: 429,
  },
  input: reportInputSchema,
  output: z.strictObject({ ReportId: z.int() }),
  // Waits for the log row before the transaction.
  tx: 'manual',
  example: { logId: 41_000, severity: 'HIGH', description: 'The landing distance of 04L is too short.' },
  handler: async ({ input, caller: { userId }, db, transaction, now, fail }) => {
    const { logId } = input;
    for (const pauseMs of pausesMs) {
      await sleep(pauseMs);
      if (!(await requestLogRepo(db).isOf(logId, userId))) {
        if (await requestLogRepo(db).mayFollow(logId, now)) continue;
        break;
      }
      return transaction(async (tx) => {
        // The report is stored first, because it keeps the log row from expiring; then the row is checked.
        const id = await problemReportWrites(tx).open({ ...input, userId }, now);
        if (!(await requestLogRepo(tx).isOf(logId, userId))) throw fail('LOG_NOT_FOUND');
        return { ReportId: id };
      });
    }
    throw fail('LOG_NOT_FOUND');
  },
});
