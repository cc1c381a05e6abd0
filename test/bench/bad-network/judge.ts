/**
 * Compares acknowledged edits, and the state that pads had seen when writing, with every state stored by the
 * service.
 */
import type { Made } from './book.ts';
import type { State } from './history.ts';
import { isList } from './kinds.ts';

export interface Verdict {
  edits: number;
  acknowledged: number;
  /** Edits that conflicted with another one and were repeated on top of it. */
  merged: number;
  /** Edits that were given up in a conflict. */
  conflicts: number;
  /** Acknowledged edits that were never stored, or were overwritten by a pad that had not seen them. */
  lost: string[];
  /** Edits that were stored more than once. */
  twice: string[];
  /** Edits that recreated a deleted row whose deletion their pilot had not seen. */
  raised: string[];
  /** Edits neither acknowledged nor reported as a conflict. */
  forgotten: string[];
}

type Seen = readonly string[] | null;

const isSame = (a: Seen, b: Seen): boolean =>
  a === b || (a !== null && b !== null && a.length === b.length && a.every((mark) => b.includes(mark)));
const covers = (seen: Seen, marks: readonly string[]): boolean =>
  seen !== null && marks.every((mark) => seen.includes(mark));

export const judge = (made: ReadonlyMap<string, Made>, history: readonly State[]): Verdict => {
  const verdict: Verdict = {
    edits: made.size,
    acknowledged: 0,
    merged: [...made.values()].filter(({ overs }) => overs.length > 1).length,
    conflicts: 0,
    lost: [],
    twice: [],
    raised: [],
    forgotten: [],
  };
  const removals = [...made.values()]
    .filter(({ action }) => action === 'remove')
    .flatMap(({ overs }) => overs);
  const oversOf = (mark: string): readonly Seen[] => made.get(mark)?.overs ?? [];
  const times = new Map<string, number>();
  const last = new Map<string, Seen>();
  for (const { kind, row, marks } of history) {
    const key = `${kind} ${row}`;
    const before = last.get(key) ?? null;
    const isKnown = last.has(key);
    last.set(key, marks);
    if (marks === null) {
      if (before !== null && !removals.some((seen) => covers(seen, before))) verdict.lost.push(...before);
      continue;
    }
    const added = marks.filter((mark) => !(before ?? []).includes(mark));
    for (const mark of added) times.set(mark, (times.get(mark) ?? 0) + 1);
    if (new Set(marks).size < marks.length)
      verdict.twice.push(...marks.filter((mark, n) => marks.indexOf(mark) < n));
    if (before === null) {
      // A deleted row may exist again only if its pilot has seen that it was deleted.
      if (isKnown && !added.some((mark) => oversOf(mark).includes(null))) verdict.raised.push(...added);
    } else if (isList(kind)) verdict.lost.push(...before.filter((mark) => !marks.includes(mark)));
    else if (added.some((mark) => made.has(mark) && !oversOf(mark).some((seen) => isSame(seen, before))))
      verdict.lost.push(...before);
  }
  for (const [mark, count] of times) if (count > 1) verdict.twice.push(mark);
  for (const [mark, { end, action }] of made) {
    if (end === 'acked') verdict.acknowledged += 1;
    else if (end === 'given') verdict.conflicts += 1;
    else verdict.forgotten.push(mark);
    const isContents = action === 'put' || action === 'replace';
    if (end === 'acked' && isContents && !times.has(mark)) verdict.lost.push(mark);
  }
  verdict.lost = [...new Set(verdict.lost)];
  verdict.twice = [...new Set(verdict.twice)];
  return verdict;
};
