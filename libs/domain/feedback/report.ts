/** User reports about one of their calls (M-4.9.q2). */
import { z } from 'zod';
import { idField, requiredTextField } from '../fields/index.ts';

const severities = ['LOW', 'MEDIUM', 'HIGH'] as const;
export type Severity = (typeof severities)[number];

export const reportInputSchema = z.strictObject({
  logId: idField({ max: Number.MAX_SAFE_INTEGER }),
  severity: z.enum(severities, 'INVALID_SEVERITY'),
  description: requiredTextField(4_000, {
    missing: 'DESCRIPTION_REQUIRED',
    invalid: 'DESCRIPTION_TOO_LONG',
  }),
});
export type ReportInput = z.output<typeof reportInputSchema>;
