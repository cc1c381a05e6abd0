/** `npm run dev`: which tiers an edited file belongs to. */
import { watch } from 'node:fs';
import type { FSWatcher } from 'node:fs';
import { join, sep } from 'node:path';

/** Several files are saved at once, and each write is reported more than once. */
const quietMs = 150;

const isSource = (path: string): boolean =>
  /\.(?:ts|json|sql|css|js|svg|html)$/.test(path) && !path.endsWith('.test.ts');

export interface Edits {
  /** Names of the tiers that have to run the new text; all of them for a library. */
  tiers: ReadonlySet<string>;
  /** A migration was edited or added. */
  hasMigration: boolean;
  /** The supervisor, which cannot replace itself. */
  isOwn: boolean;
}

const ownFolders = ['main.ts', 'supervisor'];

/** What the edited files, by path from the root of the project, belong to. */
export const editsOf = (paths: Iterable<string>, tiers: readonly string[]): Edits => {
  const found = new Set<string>();
  let [hasMigration, isOwn] = [false, false];
  for (const path of paths) {
    if (!isSource(path)) continue;
    const [top, second = ''] = path.split(sep);
    hasMigration ||= top === 'db';
    isOwn ||= top === 'apps' && ownFolders.includes(second);
    if (top === 'apps') found.add(second);
    else for (const tier of tiers) found.add(tier);
  }
  return { tiers: new Set(tiers.filter((tier) => found.has(tier))), hasMigration, isOwn };
};

/** Calls back with the paths, from the root, of what was edited in apps, libs and db. The result ends it. */
export const watchSources = (root: string, onEdit: (paths: ReadonlySet<string>) => void): (() => void) => {
  let edited = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const watchers = new Map<string, FSWatcher>();
  // Node watches the file that was replaced by a rename, not the new one, so each report begins a new watch.
  const open = (): void => {
    for (const folder of ['apps', 'libs', 'db']) {
      watchers.get(folder)?.close();
      const watcher = watch(join(root, folder), { recursive: true }, (_kind, name) => {
        if (name === null || !isSource(name)) return;
        edited.add(join(folder, name));
        clearTimeout(timer);
        timer = setTimeout(report, quietMs);
      });
      watchers.set(folder, watcher);
    }
  };
  const report = (): void => {
    const paths = edited;
    edited = new Set();
    open();
    onEdit(paths);
  };
  open();
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers.values()) watcher.close();
  };
};
