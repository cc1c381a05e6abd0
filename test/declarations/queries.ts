/** Declarations that must compile, and declarations that each break one property. */
export interface Parts {
  /** Fields of the declaration that differ from the default ones. */
  fields?: string;
  handler: string;
  imports?: string;
  errors?: string;
  auth?: string;
  tx?: string;
}

export const query = (name: string, { fields = '', handler, imports = '', ...parts }: Parts): string => `
import { z } from 'zod';
import { defineQuery } from '../../define.ts';
${imports}
export default defineQuery({
  name: '${name}',
  spec: ['test'],
  summary: 'A test.',
  auth: ${parts.auth ?? "'jwt'"},
  devKey: null,
  dialect: 'flat',
  errors: ${parts.errors ?? '{}'},
  input: z.object({ id: z.int() }),
  output: z.strictObject({ id: z.int() }),
  tx: ${parts.tx ?? "'read'"},
  ${fields}
  handler: ${handler},
});
`;

export const action = (name: string, tx: string, changesState: boolean): string => `
import { z } from 'zod';
import { defineAction } from '../../define-action.ts';

export default defineAction({
  name: '${name}',
  spec: ['test'],
  summary: 'A test.',
  changesState: ${changesState},
  errors: {},
  input: z.object({ id: z.int() }),
  output: z.strictObject({ id: z.int() }),
  tx: '${tx}',
  handler: async ({ input }) => input,
});
`;

const userWrites = "import { userWrites } from '#store/postgres/users/users.ts';";
const job = "import { mailSend } from '#domain/jobs/contracts.ts';";
const conflict = `{ VERSION_CONFLICT: { status: 409, message: 'Newer.', extra: z.strictObject({ current: z.int() }) } }`;
const now = 'new Date()';

/** Must compile: the same constructs, used as declared. */
export const sound: Readonly<Record<string, Parts>> = {
  soundRead: { handler: 'async ({ input, caller }) => ({ id: input.id + caller.userId })' },
  soundWrite: {
    tx: "'write'",
    imports: `${userWrites}\n${job}`,
    handler: `async ({ db, input, jobs }) => {
      await userWrites(db).markLogin(input.id, ${now});
      await jobs.enqueue(db, mailSend, { mailId: input.id });
      return input;
    }`,
  },
  soundManual: {
    tx: "'manual'",
    imports: userWrites,
    handler: `async ({ transaction, input }) => {
      await transaction((tx) => userWrites(tx).markLogin(input.id, ${now}));
      return input;
    }`,
  },
  soundParts: {
    tx: "'manual'",
    fields: "commits: 'several',",
    handler: 'async ({ prepare, input }) => prepare.transaction(async () => input)',
  },
  soundFailure: {
    errors: `{ ...${conflict}, INVALID_FIELD: 400, GONE: 410 }`,
    handler: `async ({ input, fail }) => {
      if (input.id === 1) throw fail('GONE');
      if (input.id === 2) throw fail('INVALID_FIELD', { field: 'id' });
      if (input.id === 3) throw fail('INVALID_INPUT', { details: ['id: is odd'] });
      throw fail('VERSION_CONFLICT', { extra: { current: 7 } });
    }`,
  },
  soundUpload: {
    errors: '{ TOO_LARGE: 413, WRONG_TYPE: 415 }',
    fields: `upload: { maxBytes: 10, types: ['image/png'], tooLarge: 'TOO_LARGE', wrongType: 'WRONG_TYPE' },
      limits: [{ name: 'x', points: 1, perSeconds: 1, by: ['user', { account: 'email' }] }],`,
    handler: 'async ({ file }) => ({ id: file?.bytes ?? 0 })',
  },
};

/** Must not compile. */
export const broken: Readonly<Record<string, Parts>> = {
  readThatRuns: { handler: 'async ({ db, input }) => ({ id: await db.run(input as never) })' },
  readThatWrites: {
    imports: userWrites,
    handler: `async ({ db, input }) => ({ id: await userWrites(db).markLogin(input.id, ${now}) })`,
  },
  readThatEnqueues: {
    imports: job,
    handler:
      'async ({ db, jobs, input }) => { await jobs.enqueue(db, mailSend, { mailId: 1 }); return input; }',
  },
  readWithTransaction: {
    handler: 'async ({ transaction, input }) => transaction(async () => input)',
  },
  writeWithTransaction: {
    tx: "'write'",
    handler: 'async ({ transaction, input }) => transaction(async () => input)',
  },
  manualThatWrites: {
    tx: "'manual'",
    imports: userWrites,
    handler: `async ({ db, input }) => ({ id: await userWrites(db).markLogin(input.id, ${now}) })`,
  },
  writeWithCommits: {
    tx: "'write'",
    fields: "commits: 'several',",
    handler: 'async ({ input }) => input',
  },
  noteThatCounts: {
    tx: "'manual'",
    imports: "import { withNewFile } from '#store/storage/with-new-file.ts';",
    handler: `async ({ input, prepare: _, log, ...ctx }) =>
      withNewFile({ ...ctx, log: log() }, { key: 'x', put: async () => {}, refer: async () => input })`,
  },
  wholeContext: { handler: 'async ({ context, input }) => (context ? input : input)' },
  undeclaredCode: { handler: "async ({ fail }) => { throw fail('GONE'); }" },
  missingField: {
    errors: '{ INVALID_FIELD: 400 }',
    handler: "async ({ fail }) => { throw fail('INVALID_FIELD'); }",
  },
  missingExtra: { errors: conflict, handler: "async ({ fail }) => { throw fail('VERSION_CONFLICT'); }" },
  wrongExtra: {
    errors: conflict,
    handler: "async ({ fail }) => { throw fail('VERSION_CONFLICT', { extra: { current: 'seven' } }); }",
  },
  undeclaredExtra: {
    errors: '{ GONE: 410 }',
    handler: "async ({ fail }) => { throw fail('GONE', { extra: { current: 7 } }); }",
  },
  nobodyAsCaller: { auth: "'none'", handler: 'async ({ caller }) => ({ id: caller.userId })' },
  fileWithoutUpload: { handler: 'async ({ file }) => ({ id: file?.bytes ?? 0 })' },
  uploadWithUndeclaredCode: {
    fields: "upload: { maxBytes: 10, types: [], tooLarge: 'TOO_LARGE', wrongType: 'WRONG_TYPE' },",
    handler: 'async ({ input }) => input',
  },
  unknownLimitSubject: {
    fields: "limits: [{ name: 'x', points: 1, perSeconds: 1, by: 'planet' }],",
    handler: 'async ({ input }) => input',
  },
  writeWithStorage: {
    tx: "'write'",
    handler: 'async ({ storage, input }) => (storage ? input : input)',
  },
  queryWithMethod: { fields: "method: 'GET',", handler: 'async ({ input }) => input' },
  queryThatChangesState: { fields: 'changesState: true,', handler: 'async ({ input }) => input' },
  queryOfBytes: { fields: "inputFrom: 'raw',", handler: 'async ({ input }) => input' },
  roomWithoutUpload: { fields: 'beforeFile: async () => null,', handler: 'async ({ input }) => input' },
  wrongOutput: { handler: "async () => ({ id: 'one' })" },
  unknownDialect: { fields: "dialect: 'klingon',", handler: 'async ({ input }) => input' },
};
