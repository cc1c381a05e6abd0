import { createInterface } from 'node:readline';

/** Prints one JSON line for every non-empty line of standard input. */
export const decodeLines = async (decode: (line: string) => unknown): Promise<void> => {
  const lines = createInterface({ input: process.stdin, crlfDelay: Infinity });
  for await (const line of lines) {
    if (line.trim() === '') continue;
    const written = process.stdout.write(`${JSON.stringify(decode(line))}\n`);
    if (!written) await new Promise((resolve) => process.stdout.once('drain', resolve));
  }
};
