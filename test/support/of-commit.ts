import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/**
 * Which part, from 0 up to `parts` − 1, of what the campaigns try whole this commit tries: a run can be repeated, and runs
 * of different commits try different parts. Without the history it is the first.
 */
export const ofCommit = (parts: number): number => {
  if (!existsSync(join(root, '.git'))) return 0;
  const name = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' });
  return Number.parseInt(name.slice(0, 8), 16) % parts;
};
