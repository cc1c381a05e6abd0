import { readdirSync } from 'node:fs';

/**
 * `npm run decode -- <kind>`: decodes texts from standard input to JSON lines. Each kind is a module in `decode/`
 * that exports `run(args)`.
 */
const folder = new URL('./decode/', import.meta.url);
const kinds = readdirSync(folder)
  .map((file) => file.replace(/\.ts$/, ''))
  .filter((name) => name !== 'lines' && !name.includes('.'))
  .sort();

const [kind = '', ...args] = process.argv.slice(2);
// A reader that stops early (head) closes the pipe: that is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
if (kinds.includes(kind)) {
  const module = (await import(new URL(`${kind}.ts`, folder).href)) as {
    run: (args: string[]) => Promise<void>;
  };
  await module.run(args);
} else {
  process.stderr.write(`usage: npm run decode -- ${kinds.join('|')} < reports\n`);
  process.exitCode = 2;
}
