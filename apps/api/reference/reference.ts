import { changesNothing, takesIdempotencyKey } from '../define.ts';
import type { Auth, KeyNeed } from '../define.ts';
import { commonErrors } from '../errors.ts';
import { generalLimit } from '../limits.ts';
import type { Limit, LimitSubject } from '../limits.ts';
import type { Registered, Registry } from '../registry.ts';
import { defaultMaxBodyBytes } from '../stages/body-size.ts';
import { documentedError, errorsOf } from './schemas.ts';
import type { DocumentedError, JsonSchema } from './schemas.ts';

const permissionText = (need: KeyNeed): string => {
  if (typeof need === 'string') return need === 'any' ? '' : ` with \`${need}\``;
  return 'userInfo' in need ? ` with user_info ${need.userInfo}` : ` with subscription ${need.subscription}`;
};

export const authText = (auth: Auth): string => {
  if (auth === 'jwt') return 'user token';
  if (auth === 'none') return 'none';
  if (auth === 'signed') return 'API key and signature';
  return 'apiKey' in auth ? `\`${auth.apiKey}\` in the body` : auth.verified;
};

/** `a user token, a developer key with \`weather\`, subscription level 1`; `nothing`. */
export const needsText = ({ auth, devKey, isKeyInCall, level = 0 }: Registered): string => {
  const needs = [
    ...(auth === 'none' ? [] : [auth === 'jwt' ? 'a user token' : authText(auth)]),
    ...(devKey === null
      ? []
      : [`a developer key${permissionText(devKey)}${isKeyInCall ? ', in the call itself' : ''}`]),
    ...(level === 0 ? [] : [`subscription level ${level}`]),
  ];
  return needs.length === 0 ? 'nothing' : needs.join(', ');
};

const subjectText = (subject: LimitSubject): string => {
  if (typeof subject === 'object') return `account of \`${subject.account}\``;
  return { user: 'user', key: 'developer key', ip: 'address' }[subject];
};

const limitText = ({ points, perSeconds, by, counts = 'all' }: Limit): string => {
  const subjects = (Array.isArray(by) ? by : [by]) as readonly LimitSubject[];
  const what = counts === 'all' ? '' : ` ${counts}`;
  return `${points}${what} per ${perSeconds} s by ${subjects.map(subjectText).join(' and ')}`;
};

export const limitsText = (operation: Registered): string =>
  [...(operation.kind === 'webhook' ? [] : [generalLimit]), ...(operation.limits ?? [])]
    .map(limitText)
    .join('; ');

/** `GET /api/get/weather`, and for how long its answer is kept; empty for others. */
export const getText = ({ name, get }: Registered): string => {
  if (!get) return '';
  const kept = get.maxAgeSeconds === 0 ? 'asked again by its ETag' : `kept for ${get.maxAgeSeconds} s`;
  return `\`GET /api/get/${name}\`, its parameters those of \`data\`; ${kept}`;
};

/** Who may call an operation and how often, in one line. */
export const termsOf = (operation: Registered): string =>
  `Needs ${needsText(operation)}. Limits: ${limitsText(operation)}.`;

const exampleOf = (operation: Registered): string => {
  const body = {
    query: operation.name,
    ...(operation.auth === 'none' && operation.devKey !== null ? { devKey: 'dk_…' } : {}),
    ...(operation.isKeyInCall ? { dev_key: 'dk_…' } : {}),
    ...(operation.example === undefined ? {} : { data: operation.example }),
  };
  return `\`\`\`json\n${JSON.stringify(body)}\n\`\`\``;
};

const sizeText = ({ upload, maxBodyBytes = defaultMaxBodyBytes }: Registered): string =>
  upload
    ? `file of at most ${typeof upload.maxBytes === 'number' ? `${upload.maxBytes} bytes` : `\`${upload.maxBytes}\` MB`}, ${upload.types.join(', ')}`
    : `body of at most ${maxBodyBytes} bytes`;

const errorTable = (errors: readonly DocumentedError[]): string =>
  [
    '| Error | HTTP | Message |',
    '| --- | --- | --- |',
    ...errors.map(
      ({ code, status, message, extra }) =>
        `| \`${code}\` | ${status} | ${message}${extra ? ` With ${namesOf(extra)}.` : ''} |`,
    ),
  ].join('\n');

const namesOf = (schema: JsonSchema): string =>
  Object.keys(schema['properties'] ?? {})
    .map((name) => `\`${name}\``)
    .join(', ');

/** The operation's errors as a table; those of the stages by code. */
export const errorsText = (operation: Registered, common = '#common-errors'): string[] => {
  const isOwn = ({ code }: DocumentedError) => Object.hasOwn(operation.errors, code);
  const errors = errorsOf(operation);
  const own = errors.filter(isOwn);
  const stages = errors.filter((error) => !isOwn(error)).map(({ code }) => `\`${code}\``);
  return [
    ...(own.length > 0 ? [errorTable(own)] : []),
    `Also ${stages.join(', ')} ([common errors](${common})).`,
  ];
};

const section = (operation: Registered): string =>
  [
    `## ${operation.name}`,
    operation.summary,
    [
      `- Source: \`${operation.file}\`; specification: ${operation.spec.join(', ')}`,
      ...(operation.aliases?.length
        ? [`- Aliases: ${operation.aliases.map((alias) => `\`${alias}\``).join(', ')}`]
        : []),
      `- Needs: ${needsText(operation)}`,
      ...(operation.get ? [`- Also ${getText(operation)}`] : []),
      `- Limits: ${limitsText(operation)}; ${sizeText(operation)}`,
      ...(takesIdempotencyKey(operation)
        ? [
            `- Writes: with an \`Idempotency-Key\`${operation.creates ? ', or however late with a `clientId`,' : ''} it is safe to repeat`,
          ]
        : changesNothing(operation) && !operation.get
          ? ['- Reads: it is safe to repeat']
          : []),
      ...(operation.unknownKeys === undefined
        ? []
        : [`- Unknown keys of \`data\` are ignored and named in \`${operation.unknownKeys}\``]),
      `- Envelope: \`${operation.dialect}\`; schemas: \`/api/schemas/${operation.name}.json\``,
    ].join('\n'),
    exampleOf(operation),
    ...errorsText(operation),
  ].join('\n\n');

/** The complete docs/queries.md; a test compares it with the committed file. */
export const referenceText = (registry: Registry): string => {
  const operations = [...registry.operations].sort((a, b) => a.name.localeCompare(b.name));
  return `${[
    '# Queries',
    'Generated by `npm run docs` from the declarations; do not edit. Every query is `POST /api` with `{ "query": name, "data": {…} }`; its JSON Schemas are served at `/api/schemas`, the OpenAPI document at `/api/openapi.json`. What is also a GET only reads, so that it is safe to repeat.',
    'With the header `X-Strict: 1`, unknown keys of `data` and parameters next to `data` are refused with INVALID_INPUT. Each is reported with the nearest known key. A calculation refuses a mistyped key without the header, too; `X-Strict: 0` turns that off.',
    [
      '| Query | Description | Needs | Source |',
      '| --- | --- | --- | --- |',
      ...operations.map(
        (operation) =>
          `| [${operation.name}](#${operation.name.toLowerCase()}) | ${operation.summary} | ${needsText(operation)} | \`${operation.file}\` |`,
      ),
    ].join('\n'),
    '## Common errors',
    errorTable(Object.keys(commonErrors).map((code) => documentedError({}, code))),
    ...operations.map(section),
  ].join('\n\n')}\n`;
};
