/** The guides in navigation order; each is `docs/guide/<name>.md`. */
import { readFile } from 'node:fs/promises';

const folder = new URL('../../../../docs/guide/', import.meta.url);

interface PageGroup {
  title: string;
  /** Names of guides, which are also the last parts of their paths. */
  pages: readonly string[];
}

export const pageGroups: readonly PageGroup[] = [
  {
    title: 'Start',
    pages: [
      'first-landing',
      'first-takeoff',
      'authentication',
      'errors',
      'limits',
      'developers',
      'offline',
      'events',
    ],
  },
  {
    title: 'Flight',
    pages: ['units', 'weather', 'landing-numbers', 'cautions', 'flight-data', 'checklists'],
  },
  { title: 'Payment', pages: ['subscriptions', 'webhooks'] },
  { title: 'Contract', pages: ['contract-changes', 'deprecation'] },
];

export const pageNames: readonly string[] = pageGroups.flatMap(({ pages }) => pages);

export const pathOfPage = (name: string): string => `/docs/guide/${name}`;

/** The address used in the guides' examples; a running service shows its own instead. */
export const writtenOrigin = 'http://127.0.0.1:8080';

/** The Markdown source of a guide. */
export const sourceOf = (name: string): Promise<string> => readFile(new URL(`${name}.md`, folder), 'utf8');
