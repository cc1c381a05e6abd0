import { readdirSync } from 'node:fs';
import { askedText, didYouMean } from '#platform/command-line.ts';

/**
 * `npm run decode -- <kind>`: decodes texts from standard input to JSON lines. Each kind is a module in `decode/`
 * that exports `run(args)`.
 */
const folder = new URL('./decode/', import.meta.url);
const kinds = readdirSync(folder)
  .map((file) => file.replace(/\.ts$/, ''))
  .filter((name) => name !== 'lines' && !name.includes('.'))
  .sort();

const usage = `usage: npm run decode -- ${kinds.join('|')} < reports
  One report a line (NOTAMs between blank lines) in, one JSON line out for each.
  Exit status: 0 done, 1 failed, 2 usage error.`;
const [kind = '', ...args] = process.argv.slice(2);
const asked = askedText(process.argv.slice(2), () => usage);
// A reader that stops early (head) closes the pipe, which is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
if (asked !== null) process.stdout.write(`${asked}\n`);
else if (kinds.includes(kind)) {
  const module = (await import(new URL(`${kind}.ts`, folder).href)) as {
    run: (args: string[]) => Promise<void>;
  };
  await module.run(args);
} else {
  const problem = kind === '' ? '' : `There is no kind "${kind}".${didYouMean(kind, kinds)}\n`;
  process.stderr.write(`${problem}${usage}\n`);
  process.exitCode = 2;
}
