/** Runs oxlint with the project's configuration on files that exist only for a test. */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { testFolder } from '../harness.ts';

const root = join(import.meta.dirname, '../..');

export interface Diagnostic {
  file: string;
  /** As printed by oxlint, for example `eslint(no-console)`. */
  rule: string;
  message: string;
}

interface Report {
  diagnostics: { filename: string; code?: string; message: string }[];
}

const oxlint = (folder: string, args: readonly string[]): Promise<string> =>
  new Promise((done, failed) => {
    const command = join(root, 'node_modules/oxlint/bin/oxlint');
    const options = { cwd: folder, maxBuffer: 64_000_000 };
    // Its status is 1 if it found something; the output decides.
    execFile(process.execPath, [command, ...args], options, (error, output, errors) => {
      if (output.trimStart().startsWith('{')) done(output);
      else failed(new Error(`oxlint printed no report: ${output}${errors}`, { cause: error }));
    });
  });

/**
 * Lint results for these files, given by path from the project's root, which determines the overrides. They are
 * isolated: imports of other project files do not resolve.
 */
export const lintOf = async (
  files: Readonly<Record<string, string>>,
  { typeAware = false }: { typeAware?: boolean } = {},
): Promise<Diagnostic[]> => {
  const folder = await testFolder();
  const config = JSON.parse(await readFile(join(root, '.oxlintrc.json'), 'utf8')) as { jsPlugins: string[] };
  const jsPlugins = config.jsPlugins.map((path) => join(root, path));
  await writeFile(join(folder, '.oxlintrc.json'), JSON.stringify({ ...config, jsPlugins }));
  for (const name of ['package.json', 'tsconfig.json']) await copyFile(join(root, name), join(folder, name));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, dirname(path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const report = await oxlint(folder, [
    '-f',
    'json',
    ...(typeAware ? ['--type-aware'] : []),
    ...Object.keys(files),
  ]);
  return (JSON.parse(report) as Report).diagnostics.map(({ filename, code = '', message }) => ({
    file: filename,
    rule: code,
    message,
  }));
};
