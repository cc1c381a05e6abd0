/** Answers that are the same for many calls: checked, rendered and redacted once. */
import { renderSuccess } from '../dialects.ts';
import { createDocument } from '../http/documents.ts';
import type { Document } from '../http/documents.ts';
import type { Registered } from '../registry.ts';
import type { KeptText } from '../services/request-log.ts';
import type { Output } from './check.ts';
import { createStore } from './store.ts';
import type { Store } from './store.ts';

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
 * The answer that was built for these objects and this variant before, or a new one. `about` and `variant` are all
 * that the answer depends on; the objects are values of caches, which are other objects after every change.
 */
export type Keep<Answer> = (about: readonly object[], variant: string, build: () => Answer) => KeptAnswer;

export const isKept = (answer: unknown): answer is KeptAnswer =>
  typeof answer === 'object' && answer !== null && mark in answer;

/** All kept answers of a process. */
const maxBytes = 134_217_728;
/** Of a character of the text: itself, what it was written from, and its encodings. */
const bytesPerCharacter = 4;

export type KeptAnswers = Store<KeptAnswer>;

export const createKeptAnswers = (): KeptAnswers =>
  createStore(maxBytes, ({ text }) => text.text.length * bytesPerCharacter);

const numbers = new WeakMap<object, number>();
let lastNumber = 0;

/** A unique number for each object, so that a text can name it. */
const numberOf = (object: object): number => {
  let number = numbers.get(object);
  if (number === undefined) {
    lastNumber += 1;
    numbers.set(object, (number = lastNumber));
  }
  return number;
};

interface KeeperOptions extends Pick<Registered, 'name' | 'dialect'> {
  check: (answer: unknown) => Output;
  answers: KeptAnswers;
  /** Builds every answer again and compares it with the kept one. */
  isProving: boolean;
}

export const createKeeper = (options: KeeperOptions): Keep<unknown> => {
  const { name, dialect, check, answers, isProving } = options;
  const prove = ({ output }: KeptAnswer, build: () => unknown): void => {
    if (JSON.stringify(check(build())) !== JSON.stringify(output))
      throw new Error(`${name} keeps an answer that depends on more than it says`);
  };
  return (about, variant, build) => {
    const key = `${name} ${about.map(numberOf).join(' ')} ${variant}`;
    const known = answers.get(key);
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
    answers.set(key, answer);
    return answer;
  };
};
