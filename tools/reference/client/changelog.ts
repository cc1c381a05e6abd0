/** The client package's changelog: entries about it in the service's changelog, by version. */

const isOfClient = (entry: string): boolean => /TypeScript client/.test(entry);

/** The entries of a section, each with its lines, without headings such as "### Added". */
const entriesOf = (section: string): string[] =>
  section
    .split(/\n(?=- |#|\n)/)
    .map((entry) => entry.trim())
    .filter((entry) => entry.startsWith('- '));

/** `contract`: version of the service's contract described by the types. */
export const clientChangelog = (changelog: string, contract: string): string => {
  const sections = changelog
    .split(/^## /m)
    .slice(1)
    .flatMap((section) => {
      const [version = '', ...rest] = section.split('\n');
      const entries = entriesOf(rest.join('\n')).filter(isOfClient);
      return entries.length === 0 ? [] : [`## ${version}\n\n${entries.join('\n')}\n`];
    });
  const head = `# Changelog of the client

What users of this package see, newest first. The types are those of version ${contract} of the contract of the service
(\`contractVersion\`); a service of another version answers \`apiVersion\` with its own. This file is generated from the changelog of the
service (\`npm run docs\`), which has the changes of its queries.
`;
  return [head, ...sections].join('\n');
};
