/** The table of revocations, in docs/users.md. */
import { accessEvents, effectOf, issued } from '#domain/access/revocations.ts';
import type { AccessEvent, Issued } from '#domain/access/revocations.ts';
import { markdownTable, withPart } from './tables.ts';

const events = Object.keys(accessEvents) as AccessEvent[];
const words = { ends: 'ends', waits: 'waits', stays: '' } as const;

export const withRevocations = (page: string): string =>
  withPart(
    page,
    'revocations',
    markdownTable(
      ['Issued before', ...events.map((event) => accessEvents[event])],
      Object.entries(issued).map(([what, text]) => [
        text,
        ...events.map((event) => words[effectOf(event, what as Issued)]),
      ]),
    ),
  );
