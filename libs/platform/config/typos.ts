import { editDistance } from '#domain/fields/nearest.ts';
import { variables } from './variables.ts';

/** Short names are one letter away from common ones of others: `HOST` and `HOME`. */
const shortest = 5;

const isTypo = (given: string, known: string): boolean =>
  Math.abs(given.length - known.length) <= 2 && editDistance(given, known) <= (known.length < 8 ? 1 : 2);

/** One sentence for each environment variable that is unknown and nearly has the name of a known one. */
export const variableTypos = (env: Record<string, string | undefined> = process.env): string[] => {
  const names = Object.keys(variables);
  const known = new Set(names);
  return Object.keys(env)
    .filter((given) => !known.has(given) && given.length >= shortest)
    .flatMap((given) => {
      const meant = names.find((name) => isTypo(given, name));
      return meant === undefined
        ? []
        : [`${given} is not a variable of this service. Did you mean ${meant}?`];
    });
};
