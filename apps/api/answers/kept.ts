/** Answers that are the same for many calls: checked, rendered and redacted once. */
import { renderSuccess } from '../dialects.ts';
import { createDocument } from '../http/documents.ts';
import type { Document } from '../http/documents.ts';
import type { Registered } from '../registry.ts';
import type { KeptText } from '../services/request-log.ts';
import type { Output } from './check.ts';

const mark = Symbol('kept answer');

export interface KeptAnswer {
  readonly [mark]: true;
  readonly output: Output;
  /** In its envelope. */
  readonly body: Output;
  /** The body as it is sent, and as it is logged. */
  readonly text: KeptText;
  /** The body in every encoding, created when a client wants one. */
  readonly document: () => Document;
}

/**
 * The answer that was built for this object and variant before, or a new one. `about` represents everything the answer
 * depends on: a value of a cache, which is another object after every change. It must not depend on user or time.
 */
export type Keep<Answer> = (about: object, variant: string, build: () => Answer) => KeptAnswer;

export const isKept = (answer: unknown): answer is KeptAnswer =>
  typeof answer === 'object' && answer !== null && mark in answer;

/** Beyond it an answer is built for each call, so that variants cannot fill the memory. */
const maxVariants = 50;

interface KeeperOptions extends Pick<Registered, 'name' | 'dialect'> {
  check: (answer: unknown) => Output;
  /** Builds every answer again and compares it with the kept one. */
  isProving: boolean;
}

/** Answers are forgotten together with what they are about. */
export const createKeeper = ({ name, dialect, check, isProving }: KeeperOptions): Keep<unknown> => {
  const prove = ({ output }: KeptAnswer, build: () => unknown): void => {
    if (JSON.stringify(check(build())) !== JSON.stringify(output))
      throw new Error(`${name} keeps an answer that depends on more than it says`);
  };
  const kept = new WeakMap<object, Map<string, KeptAnswer>>();
  return (about, variant, build) => {
    let variants = kept.get(about);
    if (!variants) kept.set(about, (variants = new Map<string, KeptAnswer>()));
    const known = variants.get(variant);
    if (known && isProving) prove(known, build);
    if (known) return known;
    const output = check(build());
    const body = renderSuccess(dialect, output);
    const text = JSON.stringify(body);
    let document: Document | undefined;
    const answer: KeptAnswer = {
      [mark]: true,
      output,
      body,
      text: { text, logged: null },
      document: () => (document ??= createDocument('application/json', text)),
    };
    if (variants.size < maxVariants) variants.set(variant, answer);
    return answer;
  };
};
