/**
 * Records examples for the OpenAPI documents: `UPDATE_EXAMPLES=1 npx vitest run test/http/fuzz.test.ts apps/api/actions
 * apps/api/queries/subscriptions apps/api/queries/users` writes apps/api/reference/examples. Values that differ between
 * runs are replaced, long lists shortened.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { exampleFile, recordedExample } from '#api/reference/examples.ts';
import type { RecordedExample } from '#api/reference/examples.ts';

export const isRecording = Boolean(process.env['UPDATE_EXAMPLES']);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const uuid = '59173612-0d5c-4a3e-9d0b-3f6f1f0e9c11';
const longestText = 400;

/** Random texts, ports and secrets, and their replacements in examples. */
const replaced: readonly (readonly [RegExp, string])[] = [
  [/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, uuid],
  [/https?:\/\/127\.0\.0\.1:\d+/g, 'https://efb.example'],
  [/^(?:::ffff:)?127\.0\.0\.1$/g, '203.0.113.7'],
  [/API(?:-[0-9A-Z]{4}){3}/g, 'API-JXX5-92Q9-MJ7K'],
  [/dk_[\w-]{20,}/g, 'dk_…'],
  [/OFP-[0-9A-Za-z]{20}/g, 'OFP-7K3MXQ2VHT5B9RDW4CFJ'],
  [/pilot\d+\.\d+@example\.org/g, 'anna.mueller@mail.example'],
  [/Pilot\d+/g, 'Mueller'],
  [/\b[0-9a-f]{64}\b/g, '16933a3d8fd029dc0323d8a3a86e46d09b3fcbb69ed4a76a0923cd2435b87caf'],
  [/\b[0-9a-f]{48}\b/g, '0123456789abcdef0123456789abcdef0123456789abcdef'],
  [/^1~[0-9a-f]{12}~.*/g, '1~6f1d0c2a9b3e~1789560000~8412:8412:'],
  [/signature=[\w-]+/g, 'signature=c2lnbmF0dXJl'],
];

/** Fields with random texts. */
const byName: Readonly<Record<string, string>> = {
  confirmation_token: 'eyJhY3Rpb24iOiJjYW5jZWxfc3Vic2NyaXB0aW9uIn0=',
  shareCode: 'K7QM-4XTP',
  confirmationToken: 'Y29uZmlybWF0aW9u',
};

const textOf = (text: string, name: string): string => {
  const fixed = byName[name] ?? replaced.reduce((changed, [form, by]) => changed.replace(form, by), text);
  return fixed.length > longestText ? `${fixed.slice(0, longestText)}…` : fixed;
};

/** One block per runway is enough: they differ only in numbers. */
const isByRunway = (names: readonly string[]): boolean =>
  names.length > 1 && names.every((name) => /^\d\d[lcr]?$/.test(name));

/** Replaces what differs between runs and shortens lists. */
export const settled = (value: unknown, name = ''): unknown => {
  if (typeof value === 'string') return textOf(value, name);
  if (Array.isArray(value))
    return value.slice(0, isRecord(value[0]) ? 1 : 6).map((entry) => settled(entry, name));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(
    (isByRunway(entries.map(([key]) => key)) ? entries.slice(0, 1) : entries).map(([key, entry]) => [
      key,
      settled(entry, key),
    ]),
  );
};

/** Number of fields with a value; the richest of several answers is recorded. */
const richness = (value: unknown): number => {
  if (value === null || value === undefined) return 0;
  return typeof value === 'object'
    ? Object.values(value).reduce<number>((sum, entry) => sum + richness(entry), 0)
    : 1;
};

const best = new Map<string, number>();

/** Writes the richest successful answer of an operation in this process. */
export const recordExample = (name: string, { request, response }: RecordedExample): void => {
  if (!isRecording) return;
  const shown = richness(settled(response));
  if (shown <= (best.get(name) ?? 0)) return;
  best.set(name, shown);
  const example = {
    ...(request === undefined ? {} : { request: settled(request) }),
    response: settled(response),
  };
  writeFileSync(fileURLToPath(exampleFile(name)), `${JSON.stringify(example, null, 2)}\n`);
};

/** Queries whose declared example gets no full answer in the scene of generated calls: their own tests record it. */
const ofOwnTests: ReadonlySet<string> = new Set([
  'announcementsLatest',
  'announcementsList',
  'changes',
  'checklistExport',
  'checklistImport',
  'checklistRate',
  'checklistReport',
  'flightDataRestore',
  'flightDataSave',
  'getPaymentHistory',
  'navdataSearch',
  'ofpMap',
  'performanceAirport',
  'performanceGet',
  'performanceHistory',
  'resetPassword',
  'walletToCardMigration',
  'windAloft',
]);

/** Records a query's success in any test; a query without an example gets the first one. */
export const recordCall = (name: string, data: unknown, response: RecordedExample['response']): void => {
  if (isRecording && (ofOwnTests.has(name) || recordedExample(name) === undefined))
    recordExample(name, { request: { data }, response });
};

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'list' : typeof value);

/** Fields of another type than recorded, ignoring null and absent ones. */
const changedIn = (recorded: unknown, now: unknown, path: string): string[] => {
  if (recorded === null || now === null || recorded === undefined || now === undefined) return [];
  if (kindOf(recorded) !== kindOf(now)) return [`${path}: ${kindOf(now)}, recorded as ${kindOf(recorded)}`];
  if (Array.isArray(recorded)) return changedIn(recorded[0], (now as unknown[])[0], `${path}[0]`);
  if (!isRecord(recorded)) return [];
  return Object.entries(recorded).flatMap(([name, entry]) =>
    changedIn(entry, (now as Record<string, unknown>)[name], `${path}.${name}`),
  );
};

/** Paths where the recorded answer to a query's example differs from this one; records it on request. */
export const outdatedIn = (name: string, response: Record<string, unknown>): string[] => {
  if (!ofOwnTests.has(name)) recordExample(name, { response });
  const recorded = recordedExample(name)?.response;
  if (!recorded) return [`${name} has no example`];
  const missing = Object.keys(recorded).filter((field) => !(field in response));
  return [
    ...missing.map((field) => `${name}.${field} is no longer answered`),
    ...changedIn(recorded, response, name),
  ];
};
