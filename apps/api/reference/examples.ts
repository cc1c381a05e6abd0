/**
 * Examples for the OpenAPI documents. A query's input is the `example` of its declaration; its answer, recorded in a
 * test run, is a file in `examples/` (`UPDATE_EXAMPLES=1`, see test/support/examples.ts).
 */
import { existsSync, readFileSync } from 'node:fs';
import { renderFailure } from '../dialects.ts';
import { ApiError } from '../errors.ts';
import type { Registered } from '../registry.ts';
import type { DocumentedError } from './schemas.ts';

export interface RecordedExample {
  /** For operations whose declaration has no example: fields of the body or URL. */
  request?: Readonly<Record<string, unknown>>;
  response: Readonly<Record<string, unknown>>;
}

export const exampleFile = (name: string): URL => new URL(`examples/${name}.json`, import.meta.url);

/** The recorded answer; undefined for a new operation. */
export const recordedExample = (name: string): RecordedExample | undefined => {
  const file = exampleFile(name);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as RecordedExample) : undefined;
};

/** The request body: the declared example, unless the recording has its own. */
export const requestExample = ({ name, example, isKeyInCall }: Registered): Record<string, unknown> => {
  const data = recordedExample(name)?.request?.['data'] ?? example;
  return {
    query: name,
    ...(isKeyInCall ? { dev_key: 'dk_…' } : {}),
    ...(data === undefined ? {} : { data }),
  };
};

/** `{ example }` of a successful answer, empty for a new operation. */
export const responseExample = (name: string): { example?: RecordedExample['response'] } => {
  const recorded = recordedExample(name);
  return recorded ? { example: recorded.response } : {};
};

/** `{ example }` of the first error that needs no values from a call, as the dispatcher renders it. */
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

/** Examples by operation name, for a path that several operations share. */
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
