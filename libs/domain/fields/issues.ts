import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/** The option of a union that the value came furthest in; of equals the first. */
const furthest = (options: readonly (readonly Issue[])[]): readonly Issue[] => {
  const depthOf = (issues: readonly Issue[]) => Math.max(0, ...issues.map(({ path }) => path.length));
  return options.toSorted((a, b) => depthOf(b) - depthOf(a))[0] ?? [];
};

/** The issues at their places: those of a union are of the option that the value was probably meant to be. */
export const placedIssues = (issues: readonly Issue[]): Issue[] =>
  issues.flatMap((issue) => {
    if (issue.code !== 'invalid_union') return [issue];
    const inner = furthest(issue.errors);
    // Where no option was entered, the message of the union says more.
    if (inner.every(({ path }) => path.length === 0)) return [issue];
    return placedIssues(inner).map((one) => ({ ...one, path: [...issue.path, ...one.path] }));
  });
