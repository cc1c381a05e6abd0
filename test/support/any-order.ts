/**
 * Every message twice, in a random order; `order` has their indexes, to be printed with a failure so that it can be
 * repeated.
 */
export const twiceInAnyOrder = <T>(messages: readonly T[]): { order: string; shuffled: T[] } => {
  const drawn = [...messages.entries(), ...messages.entries()]
    .map((entry) => ({ entry, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ entry }) => entry);
  return { order: drawn.map(([i]) => i).join(' '), shuffled: drawn.map(([, message]) => message) };
};
