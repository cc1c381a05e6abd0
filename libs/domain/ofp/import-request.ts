/** The request of `ofpImport`. */
import { z } from 'zod';
import { clientIdField } from '../fields/client-id.ts';
import { atMostCharacters, optionalTextField } from '../fields/index.ts';
import { ofpIdField } from './id.ts';
import { ofpSources } from './summary.ts';
import type { OfpSource } from './summary.ts';

/** For a document in a file or from SimBrief; plans of long flights reach 3 MB. */
export const maxOfpBytes = 8_388_608;
/** For a JSON request that contains the document. */
export const maxOfpBodyBytes = 4_194_304;

const invalidId = 'INVALID_PLANNER_ID';
const digitsSchema = z
  .string(invalidId)
  .regex(/^ {0,9}\d{1,7} {0,9}$/, invalidId)
  .transform(Number);

/** 0 means that the user has set none. */
const plannerUserIdField = () =>
  z
    .union([z.int(invalidId).min(0, invalidId).max(9_999_999, invalidId), digitsSchema], {
      error: () => invalidId,
    })
    .nullish();
/** Letters, digits and some punctuation; SimBrief decides whether it exists. */
const plannerUsernameField = () =>
  atMostCharacters(z.string(invalidId).trim(), 64, invalidId)
    .refine((alias) => alias === '' || /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._@+-]*$/u.test(alias), invalidId)
    .transform((alias) => alias || null)
    .nullish();

/** Serialised here, since the parser takes text. Null without a document. */
const documentField = () =>
  z
    .unknown()
    .optional()
    .transform((document, context): string | null => {
      if (document === undefined || document === null) return null;
      const isDocument = typeof document === 'string' || typeof document === 'object';
      const text = typeof document === 'string' ? document : JSON.stringify(document);
      if (!isDocument) context.addIssue({ code: 'custom', message: 'INVALID_DOCUMENT' });
      else if (text.length > maxOfpBodyBytes)
        context.addIssue({ code: 'custom', message: 'DOCUMENT_TOO_LARGE' });
      return text;
    })
    .meta({
      type: ['object', 'string'],
      maxBytes: maxOfpBodyBytes,
      description: 'the plan: an object, or JSON or XML as text',
    });

export const ofpImportInputSchema = z.strictObject({
  source: z
    .enum(ofpSources, 'INVALID_FIELD')
    .optional()
    .describe('default: planner, or the document when one is sent'),
  plannerUserId: plannerUserIdField().describe(
    "SimBrief `userid`, 1 to 7 digits; default: the user's preference",
  ),
  plannerUsername: plannerUsernameField().describe('SimBrief `username` (alias)'),
  staticId: optionalTextField(100).describe('SimBrief `static_id` of the plan; if absent, the latest plan'),
  document: documentField(),
  name: optionalTextField(100),
  ofpId: ofpIdField().nullish().describe('id of a stored plan to refresh'),
  ifChanged: z
    .boolean('INVALID_FIELD')
    .default(true)
    .describe('false: store a new revision even if nothing has changed'),
  replaceSuperseded: z
    .boolean('INVALID_FIELD')
    .default(false)
    .describe('true: replace a stored plan of the same flight, keeping its flight data and shares'),
  clientId: clientIdField(),
  keepNotams: z.boolean('INVALID_FIELD').default(true).describe('false: remove NOTAM from the document'),
});
export type OfpImportInput = z.output<typeof ofpImportInputSchema>;

export interface PlannerSelector {
  userId: number | null;
  username: string | null;
  staticId: string | null;
}

/** The SimBrief user in the request, else from the preferences; null for neither. */
export const plannerSelectorOf = (
  { plannerUserId, plannerUsername, staticId }: OfpImportInput,
  preferredUserId: number,
): PlannerSelector | null => {
  const userId = plannerUserId || (plannerUsername ? null : preferredUserId) || null;
  if (userId === null && !plannerUsername) return null;
  return { userId, username: userId === null ? (plannerUsername ?? null) : null, staticId: staticId ?? null };
};

/** Maps SimBrief's error texts to codes. */
export const plannerRefusalOf = (
  status: string | null,
): 'PLANNER_USER_NOT_FOUND' | 'PLANNER_NO_PLAN' | null => {
  if (status === null) return null;
  if (/unknown|invalid|not found|no such/i.test(status) && /user|pilot|alias/i.test(status))
    return 'PLANNER_USER_NOT_FOUND';
  return /static|no (?:flight ?plan|ofp|plan|briefing)|not? .*(?:on file|found|available)/i.test(status)
    ? 'PLANNER_NO_PLAN'
    : null;
};

/** The source of the plan: as requested, else derived from the fields sent. */
export const requestedSource = ({ source, document }: OfpImportInput, hasFile: boolean): OfpSource =>
  source ?? (hasFile || document !== null ? 'json' : 'planner');

/** `xml` and `json` are the form in which a document was sent, detected from its content. */
export const sourceOf = (source: OfpSource, format: 'json' | 'xml'): OfpSource =>
  source === 'planner' ? source : format;
