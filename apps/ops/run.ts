/** Runs the verb of a command line and prints its answer. */
import { userInfo } from 'node:os';
import { z } from 'zod';
import { version, wantsHelp, wantsVersion } from '#platform/command-line.ts';
import { ConfigError } from '#platform/config/config.ts';
import { DomainError } from '#domain/errors.ts';
import { auditedChange } from '#operator/audited.ts';
import { findVerb, helpFor } from '#operator/find-verb.ts';
import { rowOf, runChange, UsageError } from '#operator/verb.ts';
import type { Answer, LocalTools, Noun, Values, Verb, ViewTools } from '#operator/verb.ts';
import { auditSnapshotRepo, digestOf } from '#store/postgres/audit/audit.ts';
import type { Postgres } from '#store/postgres/pool.ts';
import { recordText, textOf } from './table.ts';
import { readFlags } from './read-flags.ts';
import type { Terminal } from './read-flags.ts';

/** Resources of one command line; queues are opened only by the verbs that need them. */
interface Resources extends Pick<ViewTools, 'config' | 'clock' | 'queues'> {
  postgres: Postgres;
}

const accountName = (): string => {
  try {
    return userInfo().username;
  } catch {
    // A container may run with an id that has no name.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
};

/** Tools of a verb; `action` is its noun and path. */
const toolsOf = ({ postgres, ...resources }: Resources, action: string): LocalTools => {
  // Under sudo, the account that called it.
  const userName = process.env['SUDO_USER'] ?? accountName();
  const operator = { who: `cli:${userName}`, requestId: null };
  return {
    ...resources,
    userName,
    now: resources.clock.now(),
    db: postgres.db,
    jobs: { enqueue: async (...job) => (await resources.queues()).producer.enqueue(...job) },
    // Loaded on demand, because feeds import the scheduler.
    runFeed: async (asked, note) =>
      (await import('./run-feed.ts')).runFeedHere(resources.config, asked, note),
    single: postgres.single,
    change: auditedChange({ ...resources, postgres }, operator, action),
  };
};

const wordsOf = (args: readonly string[]): string[] => {
  const end = args.findIndex((arg) => arg.startsWith('-'));
  return args.slice(0, end === -1 ? undefined : end);
};

const failureOf = (error: unknown): { status: 1 | 2; code: string; message: string } => {
  if (error instanceof UsageError) return { status: 2, code: 'USAGE', message: error.message };
  if (error instanceof DomainError) return { status: 1, code: error.code, message: error.message };
  if (error instanceof ConfigError) return { status: 1, code: 'CONFIG', message: error.message };
  if (error instanceof z.ZodError) {
    const message = error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n');
    return { status: 1, code: 'INVALID', message };
  }
  return { status: 1, code: 'FAILED', message: error instanceof Error ? error.message : String(error) };
};

interface Opened {
  ops: Resources;
  close: () => Promise<void>;
}

/**
 * Asks at a terminal, after the row that the verb decides on, and returns the digest of what was shown.
 * Scripts are not asked, but must have looked at the row that they decide on.
 */
const confirmed = async (
  verb: Verb,
  values: Values,
  { db }: LocalTools,
  terminal: Terminal,
): Promise<string | undefined> => {
  const { seen, yes } = values;
  if (typeof seen === 'string') return seen;
  if (yes === true || (!verb.isDecision && !(verb.isIrreversible && terminal.ask))) return undefined;
  const row = await rowOf(verb, db, values);
  const state = row && (await auditSnapshotRepo(db).of(row.kind, row.id));
  const digest = digestOf(state);
  const shown = [...(state ? [recordText(state, terminal)] : []), verb.summary].join('\n');
  if (!terminal.ask)
    throw new UsageError(`${shown}\nNothing was done: to decide on what is shown, add --seen ${digest}`);
  if ((await terminal.ask(`${shown}\nType yes to go on: `)).trim() !== 'yes')
    throw new DomainError('CANCELLED', {}, 'Nothing was changed.');
  return digest;
};

/**
 * Runs one command and returns the exit status: 0 done, 1 failed, 2 usage error. With `--json` exactly one JSON
 * document is written to `out`. `open` is called only for a valid command.
 */
export const runOps = async (
  nouns: readonly Noun[],
  args: readonly string[],
  open: () => Promise<Opened>,
  terminal: Terminal,
): Promise<number> => {
  const isJson = args.includes('--json');
  try {
    const words = wordsOf(args);
    if (wantsHelp(args) || wantsVersion(args)) {
      terminal.out(wantsHelp(args) ? helpFor(nouns, words.slice(words[0] === 'help' ? 1 : 0)) : version);
      return 0;
    }
    const found = findVerb(nouns, words);
    const values = readFlags(found, args);
    const { verb, noun, path } = found;
    const answerOf = async (): Promise<Answer> => {
      if (verb.type === 'lone') return verb.run(process.env, values);
      const { ops, close } = await open();
      try {
        const tools = toolsOf(ops, `${noun.name} ${path}`.trim());
        if (verb.type === 'view') return await verb.run(tools, values);
        return await runChange(verb, tools, values, await confirmed(verb, values, tools, terminal));
      } finally {
        await close();
      }
    };
    const answer = await answerOf();
    if (isJson) terminal.out(JSON.stringify({ ok: true, ...answer.data }));
    else terminal.out(textOf(answer, terminal));
    return answer.status ?? 0;
  } catch (error) {
    const { status, code, message } = failureOf(error);
    if (isJson) terminal.out(JSON.stringify({ ok: false, error: { code, message } }));
    else terminal.err(message);
    return status;
  }
};
