/** Text that Postgres cannot store: NUL, and lone surrogates, which are not valid UTF-8. */

interface Unstorable {
  /** Dotted path of the value, or of the object with the key; `data` for the root. */
  path: string;
  problem: 'the NUL character' | 'half of a surrogate pair';
  isKey: boolean;
}

interface Place {
  value: unknown;
  name: string;
  parent: Place | null;
}

const problemOf = (text: string): Unstorable['problem'] | null => {
  if (text.includes('\0')) return 'the NUL character';
  return text.isWellFormed() ? null : 'half of a surrogate pair';
};

const maxPathLength = 200;

const pathOf = (place: Place): string => {
  const names: string[] = [];
  for (let at: Place | null = place; at?.parent; at = at.parent) names.push(at.name);
  const path = names.reverse().join('.').toWellFormed().replaceAll('\0', '\uFFFD');
  return path.slice(0, maxPathLength) || 'data';
};

/** The first value or key that cannot be stored; null if all can. Takes linear time at any depth. */
export const findUnstorable = (root: unknown): Unstorable | null => {
  const stack: Place[] = [{ value: root, name: '', parent: null }];
  for (let place = stack.pop(); place; place = stack.pop()) {
    const { value } = place;
    if (typeof value === 'string') {
      const problem = problemOf(value);
      if (problem) return { path: pathOf(place), problem, isKey: false };
    }
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue;
    const isList = Array.isArray(value);
    const entries = Object.entries(value);
    // Reversed, because the stack returns them in the opposite order.
    for (let i = entries.length - 1; i >= 0; i -= 1) {
      const [name, child] = entries[i] as [string, unknown];
      const problem = isList ? null : problemOf(name);
      if (problem) return { path: pathOf(place), problem, isKey: true };
      if (typeof child === 'string' || typeof child === 'object')
        stack.push({ value: child, name, parent: place });
    }
  }
  return null;
};
