/**
 * Examples of the OpenAPI documents. The input of a query is the `example` of its declaration; what was answered to it in
 * a run of the tests is a file of `examples/` (`UPDATE_EXAMPLES=1`, see test/support/examples.ts).
 */
import { existsSync, readFileSync } from 'node:fs';
import { renderFailure } from '../dialects.ts';
import { ApiError } from '../errors.ts';
import type { Registered } from '../registry.ts';
import type { DocumentedError } from './schemas.ts';

export interface RecordedExample {
  /** Of operations whose declaration has none: fields of the body, or of the URL. */
  request?: Readonly<Record<string, unknown>>;
  response: Readonly<Record<string, unknown>>;
}

export const exampleFile = (name: string): URL => new URL(`examples/${name}.json`, import.meta.url);

/** What the tests recorded of this operation; undefined for one that is new. */
export const recordedExample = (name: string): RecordedExample | undefined => {
  const file = exampleFile(name);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as RecordedExample) : undefined;
};

/** The body of a request: the declared example, unless another one was recorded with its answer. */
export const requestExample = ({ name, example, isKeyInCall }: Registered): Record<string, unknown> => {
  const data = recordedExample(name)?.request?.['data'] ?? example;
  return {
    query: name,
    ...(isKeyInCall ? { dev_key: 'dk_…' } : {}),
    ...(data === undefined ? {} : { data }),
  };
};

/** `{ example }` of a success, or nothing for an operation that is new. */
export const responseExample = (name: string): { example?: RecordedExample['response'] } => {
  const recorded = recordedExample(name);
  return recorded ? { example: recorded.response } : {};
};

/** `{ example }` of the first error that needs no values of the call, as the dispatcher renders it. */
export const errorExample = (
  { dialect }: Registered,
  errors: readonly DocumentedError[],
): { example?: Record<string, unknown> } => {
  const plain = errors.find(({ message, extra }) => extra === undefined && !message.includes('{'));
  return plain
    ? {
        example: renderFailure(
          dialect,
          new ApiError(plain.code, { status: plain.status, message: plain.message }),
          'https://efb.example',
        ).body,
      }
    : {};
};

/** Examples by the name of the operation, for a path that several share. */
export const namedExamples = (
  operations: readonly Registered[],
  valueOf: (operation: Registered) => unknown,
): { examples?: Record<string, { value: unknown }> } => {
  const examples = operations.flatMap((operation) => {
    const value = valueOf(operation);
    return value === undefined ? [] : [[operation.name, { value }] as const];
  });
  return examples.length === 0 ? {} : { examples: Object.fromEntries(examples) };
};
