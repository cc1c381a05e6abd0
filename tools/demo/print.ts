/** Steps and tables on a terminal. */

export class WrongStepError extends Error {
  override name = 'WrongStepError';
}

/** Ends the demo with a message when something differs from the specification. */
export const expectThat: (condition: unknown, sentence: string) => asserts condition = (
  condition,
  sentence,
) => {
  if (!condition) throw new WrongStepError(sentence);
};

let count = 0;

/** Runs one step and prints its summary. */
export const step = async <T>(
  title: string,
  work: () => Promise<{ summary: string; value: T }>,
): Promise<T> => {
  count += 1;
  const started = performance.now();
  const { summary, value } = await work();
  const ms = Math.round(performance.now() - started);
  console.log(`${String(count).padStart(2)}. ${title.padEnd(26)} ${summary} (${ms} ms)`);
  return value;
};

export const table = (
  head: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): void => {
  const texts = [head, ...rows].map((row) => row.map((cell) => (cell === null ? '-' : String(cell))));
  const widths = head.map((_, i) => Math.max(...texts.map((row) => row[i]?.length ?? 0)));
  const isNumber = (text: string) => /^[-+]?[\d,.]+$/.test(text);
  console.log();
  texts.forEach((row, r) => {
    const cells = row.map((text, i) =>
      r > 0 && isNumber(text) ? text.padStart(widths[i] ?? 0) : text.padEnd(widths[i] ?? 0),
    );
    console.log(`    ${cells.join('  ').trimEnd()}`);
    if (r === 0) console.log(`    ${widths.map((width) => '-'.repeat(width)).join('  ')}`);
  });
  console.log();
};
