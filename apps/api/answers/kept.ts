/** Answers, or parts of them, that are the same for many calls: checked, written and redacted once. */
import { z } from 'zod';
import { renderSuccess, successEnvelope } from '../dialects.ts';
import type { KeptText } from '../services/request-log.ts';
import type { Answering, Output } from './check.ts';
import { cachedMembers, cachedText } from './sent-text.ts';
import type { SentText } from './sent-text.ts';
import { createStore } from './store.ts';
import type { Store } from './store.ts';

const mark = Symbol('kept answer');

export interface KeptAnswer {
  readonly [mark]: true;
  readonly output: Output;
  /** In its envelope. */
  readonly body: Output;
  /** The body as JSON, without the members of a kept part. */
  readonly text: string;
  /** What the log refers to. */
  readonly kept: KeptText;
  readonly sent: SentText;
}

/**
 * The answer that was built for these objects and this variant before, or a new one. `about` and `variant` are all
 * that the answer depends on; the objects are values of caches, which are other objects after every change.
 */
export type Keep<Answer> = (about: readonly object[], variant: string, build: () => Answer) => KeptAnswer;

export interface KeptPart<Rest> {
  /** The answer with the members that are not kept, which come first. */
  join: (rest: Rest) => KeptAnswer;
}

/** The same for some members of an answer. */
export type KeepPart<Answer> = <Members extends Partial<Answer>>(
  about: readonly object[],
  variant: string,
  build: () => Members,
) => KeptPart<Omit<Answer, keyof Members>>;

export interface AnswerCache {
  keep: Keep<unknown>;
  keepPart: KeepPart<Output>;
}

export const isKept = (answer: unknown): answer is KeptAnswer =>
  typeof answer === 'object' && answer !== null && mark in answer;

interface Kept {
  readonly output: Output;
  readonly kept: KeptText;
}

/** All kept answers of a process. */
const maxBytes = 100_663_296;
/** Of a character of the text: itself, what it was written from, and its encodings. */
const bytesPerCharacter = 4;
/** Of an answer, however short: its objects, buffers and key. */
const entryBytes = 8_192;

export type KeptAnswers = Store<Kept>;

export const createKeptAnswers = (): KeptAnswers =>
  createStore(maxBytes, ({ kept }) => entryBytes + kept.text.length * bytesPerCharacter);

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

type Check = (answer: unknown) => Output;

interface AnswerCacheOptions {
  operation: Answering;
  checkOf: (output: z.ZodType) => Check;
  answers: KeptAnswers;
  /** Builds every answer again and compares it with the kept one. */
  isVerified: boolean;
}

export const createAnswerCache = ({
  operation,
  checkOf,
  answers,
  isVerified,
}: AnswerCacheOptions): AnswerCache => {
  const { name, dialect, output: schema } = operation;
  const check = checkOf(schema);
  const partChecks = new Map<string, { ofPart: Check; ofRest: Check }>();

  const checksOf = (members: readonly string[]) => {
    const known = partChecks.get(members.join());
    if (known) return known;
    if (!(schema instanceof z.ZodObject) || successEnvelope(dialect).nested !== null)
      throw new Error(`${name} has no members that could be kept`);
    const { shape } = schema;
    const checkOfSome = (isWanted: (member: string) => boolean) => {
      const wanted = Object.entries(shape).filter(([member]) => isWanted(member));
      return checkOf(new z.ZodObject({ ...schema.def, shape: Object.fromEntries(wanted) }));
    };
    const ofPart = checkOfSome((member) => members.includes(member));
    const checks = { ofPart, ofRest: checkOfSome((member) => !members.includes(member)) };
    partChecks.set(members.join(), checks);
    return checks;
  };

  const find = <Found extends Kept>(key: string, create: () => Found): Found => {
    // A key is only used for values of one type.
    const known = answers.get(key) as Found | undefined;
    if (known && isVerified && JSON.stringify(create().output) !== JSON.stringify(known.output))
      throw new Error(`${name} keeps an answer that depends on more than it says`);
    if (known) return known;
    const created = create();
    answers.set(key, created);
    return created;
  };

  const answerOf = (answer: unknown): KeptAnswer => {
    const output = check(answer);
    const body = renderSuccess(dialect, output);
    const text = JSON.stringify(body);
    return {
      [mark]: true,
      output,
      body,
      text,
      kept: { text, isPart: false, logged: null },
      sent: cachedText(text),
    };
  };

  const partOf = (members: Output): Kept & KeptPart<Output> => {
    const { ofPart, ofRest } = checksOf(Object.keys(members));
    const output = ofPart(members);
    const sent = cachedMembers(output);
    const kept: KeptText = { text: sent.text, isPart: true, logged: null };
    const join = (rest: Output): KeptAnswer => {
      const checked = ofRest(rest);
      const body = renderSuccess(dialect, checked);
      const text = JSON.stringify(body);
      return {
        [mark]: true,
        output: { ...checked, ...output },
        body: { ...body, ...output },
        text,
        kept,
        sent: sent.after(text),
      };
    };
    return { output, kept, join };
  };

  const keyOf = (kind: string, about: readonly object[], variant: string): string =>
    `${name} ${kind} ${about.map(numberOf).join(' ')} ${variant}`;
  return {
    keep: (about, variant, build) => find(keyOf('answer', about, variant), () => answerOf(build())),
    keepPart: (about, variant, build) => find(keyOf('part', about, variant), () => partOf(build())),
  };
};
