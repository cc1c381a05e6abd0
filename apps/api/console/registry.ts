import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ConsoleSection } from './define.ts';

const folder = join(import.meta.dirname, 'sections');

/** Throws for a section whose paths are not below its name, or are there twice. */
const checked = (sections: readonly ConsoleSection[]): readonly ConsoleSection[] => {
  const seen = new Set<string>();
  for (const { name, pages, actions } of sections) {
    if (pages[0]?.path !== `/${name}`) throw new Error(`console: the first page of ${name} is not /${name}`);
    const paths = [...pages.map(({ path }) => `GET ${path}`), ...actions.map(({ path }) => `POST ${path}`)];
    for (const path of paths) {
      if (seen.has(path) || !new RegExp(`^(?:GET|POST) /${name}(?:/[a-z-]+)*$`).test(path))
        throw new Error(`console: ${path} is there twice, or does not belong to ${name}`);
      seen.add(path);
    }
  }
  return sections;
};

/** Every file of the folder declares the section of its name. */
export const loadSections = async (): Promise<readonly ConsoleSection[]> => {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  const sections = await Promise.all(
    files.map(async (file) => {
      const module = (await import(pathToFileURL(join(folder, file)).href)) as { default?: ConsoleSection };
      if (module.default?.name !== basename(file, '.ts'))
        throw new Error(`console/sections/${file} must default-export the section of its name`);
      return module.default;
    }),
  );
  return checked(sections.toSorted((a, b) => a.order - b.order));
};
