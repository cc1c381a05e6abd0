/** The table of what ends what, in docs/users.md. */
import { accessEvents, fateOf, handedOut } from '#domain/access/endings.ts';
import type { AccessEvent, HandedOut } from '#domain/access/endings.ts';
import { markdownTable, withPart } from './tables.ts';

const events = Object.keys(accessEvents) as AccessEvent[];
const words = { ends: 'ends', waits: 'waits', stays: '' } as const;

export const withEndings = (page: string): string =>
  withPart(
    page,
    'what ends what',
    markdownTable(
      ['Handed out before', ...events.map((event) => accessEvents[event])],
      Object.entries(handedOut).map(([what, text]) => [
        text,
        ...events.map((event) => words[fateOf(event, what as HandedOut)]),
      ]),
    ),
  );
