/** The envelopes of the specification (M-2.1.3, M-2.1.4) as data. No operation builds one. */
import { listsFields } from './errors.ts';
import type { ApiError } from './errors.ts';

export const apiVersion = '1.3.6';

type Output = Record<string, unknown>;
type SuccessForm = (output: Output) => Output;
interface ErrorForm {
  body: (error: ApiError, baseUrl: string) => Output;
  /** Null: the status comes from the error. */
  status: number | null;
}

const success = {
  data: (output) => ({ success: true, apiVersion, data: output }),
  flat: (output) => ({ success: true, apiVersion, ...output }),
  bare: (output) => ({ apiVersion, ...output }),
  plain: (output) => output,
  capital: (output) => ({ Success: true, Api_Version: apiVersion, ...output }),
  capitalBare: (output) => ({ Success: true, ...output }),
} as const satisfies Record<string, SuccessForm>;

const detailsOf = ({ code, details, hints }: ApiError): { details?: string[] } =>
  listsFields.has(code) || hints.length > 0
    ? { details: [...(listsFields.has(code) ? details : []), ...hints] }
    : {};

/** Form (c) has exactly two members, so it carries no hint. */
const hintOf = ({ hint }: ApiError): { hint?: string } => (hint === null ? {} : { hint });

const failure = {
  code: {
    status: null,
    body: (error, baseUrl) => ({
      // Spread first, so that it cannot overwrite a field of the envelope.
      ...error.extra,
      success: false,
      error: {
        message: error.message,
        code: error.code,
        status: error.status,
        ...(error.field === null ? {} : { param: error.field }),
        ...detailsOf(error),
        ...hintOf(error),
        docUrl: `${baseUrl}/docs/guide/errors#${error.code}`,
      },
    }),
  },
  list: { status: null, body: (error) => ({ Error: listOf(error, 'message') }) },
  listOk: { status: 200, body: (error) => ({ Error: listOf(error, 'message') }) },
  listCapital: {
    status: null,
    body: (error) => ({ Error: listOf(error, 'Message') }),
  },
  details: {
    status: null,
    body: (error) => ({
      ...error.extra,
      // Only the message can carry a hint: each line of the details belongs to a field.
      error: [
        error.message,
        ...(error.status === 400 && error.hint !== null ? [`Hint: ${error.hint}`] : []),
      ].join(' '),
      details: [...error.details, ...error.hints],
      // For errors outside the specification, such as conflicts, whose status alone is ambiguous.
      ...(error.status >= 409 && error.status < 500 ? { code: error.code } : {}),
    }),
  },
} as const satisfies Record<string, ErrorForm>;

/** Form (b) has no field for a code, so the text includes those that a client must distinguish. */
const listText = (error: ApiError): string =>
  error.code === 'ACCESS_DENIED' && !error.message.includes('EFB')
    ? `ACCESS_DENIED: ${error.message}`
    : error.message;

/**
 * Form (b): the specified message, then one line per further problem. Each code follows its message, which names the
 * valid values.
 */
const listOf = (error: ApiError, field: 'message' | 'Message'): Output[] => {
  const more = listsFields.has(error.code) ? error.details.slice(1) : [];
  return [
    { [field]: listText(error), code: error.code, ...hintOf(error) },
    ...[...more, ...error.hints].map((line) => ({ [field]: line })),
  ];
};

export const dialects = {
  checklist: { success: success.data, failure: failure.code },
  flat: { success: success.flat, failure: failure.code },
  bare: { success: success.bare, failure: failure.code },
  weather: { success: success.bare, failure: failure.list },
  navdata: { success: success.capital, failure: failure.listOk },
  feedback: { success: success.capitalBare, failure: failure.listCapital },
  report: { success: success.capitalBare, failure: failure.list },
  /** The body is sent verbatim. */
  receipt: { success: success.plain, failure: failure.code },
  settings: { success: success.flat, failure: failure.details },
} as const satisfies Record<string, { success: SuccessForm; failure: ErrorForm }>;

export type DialectName = keyof typeof dialects;

/** The envelope's fields and the member that wraps the output, if any; for the generated reference. */
export const successEnvelope = (dialect: DialectName): { nested: string | null; fields: Output } => {
  const marker = { output: true };
  const rendered = Object.entries(dialects[dialect].success(marker));
  const nested = rendered.find(([, value]) => value === marker)?.[0] ?? null;
  return {
    nested,
    fields: Object.fromEntries(rendered.filter(([name]) => name !== nested && name !== 'output')),
  };
};

export const renderSuccess = (dialect: DialectName, output: Output): Output =>
  dialects[dialect].success(output);

/** `baseUrl`: address of this service, for the link to the error's documentation. */
export const renderFailure = (
  dialect: DialectName,
  error: ApiError,
  baseUrl: string,
): { status: number; body: Output } => {
  const form: ErrorForm = dialects[dialect].failure;
  return { status: form.status ?? error.status, body: form.body(error, baseUrl) };
};
