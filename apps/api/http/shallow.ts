import { commonError } from '../errors.ts';

const maxDepth = 64;
const maxNodes = 200_000;

/** Refuses nesting that would exhaust a recursive parser later; itself not recursive. */
export const assertShallow = (value: unknown): void => {
  const stack: { value: unknown; depth: number }[] = [{ value, depth: 1 }];
  let nodes = 0;
  for (let item = stack.pop(); item; item = stack.pop()) {
    nodes += 1;
    if (item.depth > maxDepth)
      throw commonError('INVALID_JSON', { message: `The body is nested deeper than ${maxDepth} levels.` });
    if (nodes > maxNodes)
      throw commonError('PAYLOAD_TOO_LARGE', { message: 'The body contains too many values.' });
    if (typeof item.value !== 'object' || item.value === null) continue;
    for (const child of Object.values(item.value)) stack.push({ value: child, depth: item.depth + 1 });
  }
};
