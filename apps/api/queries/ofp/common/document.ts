/** Where the document of an import comes from: SimBrief, the request, or a file. */
import { readFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import { plannerRefusalOf, plannerSelectorOf } from '#domain/ofp/import-request.ts';
import type { OfpImportInput } from '#domain/ofp/import-request.ts';
import type { OfpSource } from '#domain/ofp/summary.ts';
import { completePreferences } from '#domain/users/preferences.ts';
import type { UserPreferences } from '#domain/users/preferences.ts';
import type { Caller } from '#domain/users/types.ts';
import type { ParsedDocument, ParsedPlan } from '#data/ofp/parse.ts';
import { ParserBusyError } from '#data/ofp/parser.ts';
import { PlannerError } from '#data/ofp/planner.ts';
import { ofpWrites } from '#data/postgres/ofp/writes.ts';
import type { ReadDb } from '#data/postgres/sql.ts';
import { addSeconds } from '#domain/time.ts';
import type { Tools, Transactions, UploadedFile } from '../../../handler-context.ts';
import { commonError, declaredError } from '../../../errors.ts';
import type { ApiError, ErrorOptions } from '../../../errors.ts';
import { ofpImportErrors } from './errors.ts';

export interface ImportCall extends Pick<Tools, 'planner' | 'ofpParser' | 'aircraft' | 'identities'> {
  db: ReadDb;
  input: OfpImportInput;
  source: OfpSource;
  caller: Caller;
  file: UploadedFile | null;
  prepare: Transactions;
  now: Date;
  log: () => Logger;
}

/** SimBrief must not be polled. */
const fetchEverySeconds = 10;

const importError = (code: keyof typeof ofpImportErrors, options?: ErrorOptions): ApiError =>
  declaredError(ofpImportErrors, code, options);

export const preferencesOf = async ({
  identities,
  caller,
}: Pick<ImportCall, 'identities' | 'caller'>): Promise<UserPreferences> => {
  const profile = await identities.profileOf(caller.userId);
  return completePreferences(profile?.preferences, profile?.settingsLocked ?? false);
};

const countFetch = async ({ prepare, caller, now }: ImportCall): Promise<void> => {
  const earliest = addSeconds(now, -fetchEverySeconds);
  const last = await prepare.transaction((tx) => ofpWrites(tx).countFetch(caller.userId, earliest, now));
  if (last === null) return;
  const waitSeconds = Math.ceil((last.getTime() - earliest.getTime()) / 1_000);
  throw importError('PLANNER_RATE_LIMITED', { headers: { 'Retry-After': String(Math.max(1, waitSeconds)) } });
};

const busy = (): ApiError =>
  commonError('RATE_LIMITED', {
    message: 'Two of your plans are being imported. Wait until one is.',
    headers: { 'Retry-After': '1' },
  });

const parsed = async (
  { input, caller, ofpParser }: ImportCall,
  content: Uint8Array | string,
): Promise<ParsedDocument> => {
  try {
    return await ofpParser.parse(caller.userId, { content, keepNotams: input.keepNotams });
  } catch (error) {
    if (!(error instanceof ParserBusyError)) throw error;
    throw busy();
  }
};

const fetchPlan = async (call: ImportCall, preferences: UserPreferences): Promise<ParsedPlan> => {
  const { input, planner, log } = call;
  const selector = plannerSelectorOf(input, preferences.planner.plannerUserId);
  if (!selector) throw importError('MISSING_PLANNER_ID');
  // Before the fetch, which is counted and would be in vain.
  if (call.ofpParser.isWaiting(call.caller.userId)) throw busy();
  await countFetch(call);
  let content: Buffer;
  try {
    content = (await planner.fetch(selector)).bytes;
  } catch (error) {
    if (!(error instanceof PlannerError)) throw error;
    log().warn({ err: error }, 'SimBrief did not answer');
    throw importError('PLANNER_UNAVAILABLE');
  }
  const document = await parsed(call, content);
  if (document.kind === 'plan') return document;
  const { status, problem } = document;
  const refusal = plannerRefusalOf(status);
  if (refusal) throw importError(refusal);
  log().warn({ status, problem }, 'SimBrief sent no plan');
  throw importError('PLANNER_UNAVAILABLE');
};

const readGiven = async (call: ImportCall): Promise<ParsedPlan> => {
  const { input, file } = call;
  const content = file ? await readFile(file.path) : input.document;
  if (content === null)
    throw importError('INVALID_DOCUMENT', {
      message: 'Send the plan as "document" or as the form field "file".',
    });
  const document = await parsed(call, content);
  if (document.kind === 'plan') return document;
  throw importError('INVALID_DOCUMENT', {
    message: `The document is not a flight plan: ${document.problem}.`,
  });
};

/** A document that would not be read is refused, so that no plan is imported in place of it. */
const assertNoOther = ({ source, input, file }: ImportCall): void => {
  if (source === 'planner' && (file || input.document !== null))
    throw importError('INVALID_DOCUMENT', {
      message:
        'With the source "planner" no document is read: leave it out, or send the source "json" or "xml".',
    });
  if (file && input.document !== null)
    throw importError('INVALID_DOCUMENT', {
      message: 'Send one plan: either as "document" or as the form field "file".',
    });
};

/** Throws the errors of `ofpImportErrors`. */
export const readImport = async (call: ImportCall, preferences: UserPreferences): Promise<ParsedPlan> => {
  assertNoOther(call);
  return call.source === 'planner' ? fetchPlan(call, preferences) : readGiven(call);
};
