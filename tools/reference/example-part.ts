/** The client's example app in docs/guide/offline.md, with the imports of an app. */
import { withPart } from './tables.ts';

const asInApps = (source: string): string =>
  source
    .replaceAll("'../src/outbox/index.ts'", "'@efb-backend/client/outbox'")
    .replaceAll("'../src/index.ts'", "'@efb-backend/client'")
    .trimEnd();

export const withExample = (page: string, source: string): string =>
  withPart(page, 'example', `\`\`\`ts\n${asInApps(source)}\n\`\`\``);
