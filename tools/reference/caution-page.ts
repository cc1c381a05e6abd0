/** docs/guide/cautions.md: all codes of `cautions` and `errors` of a landing or takeoff. */
import { plainCautions } from '#domain/performance/caution.ts';
import { cautionWords } from '#perf/wire/caution-words.ts';
import { refusalWords } from '#perf/wire/refusal-words.ts';
import { takeoffCautionWords } from '#perf/wire/takeoff-words.ts';
import { comparedBy } from '#perf/wire/words.ts';
import type { Words } from '#perf/wire/words.ts';
import { cautionMeanings, refusalMeanings, takeoffMeanings } from './caution-meanings.ts';
import { markdownTable } from './tables.ts';

const rows = (meanings: Readonly<Record<string, string>>, words: object = {}): string =>
  markdownTable(
    ['Code', 'Meaning', 'Field', 'Numbers'],
    Object.entries(meanings)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([code, meaning]) => {
        const own = (words as Readonly<Record<string, Words<never>>>)[code];
        const [field] = own ?? [null];
        const hasNumbers = own !== undefined && Boolean(comparedBy(own)[0]);
        return [`\`${code}\``, meaning, field === null ? '' : `\`${field}\``, hasNumbers ? 'yes' : ''];
      }),
  );

const head = `# Cautions of a landing or takeoff

This page is generated from the message table of the engine (\`npm run docs\`), so it is complete.

An answer of \`performance\` has its cautions twice: as texts in \`caution\`, and for programs in \`cautions\`, in the same order. A
calculation that is not possible has its reason in \`error\` and \`errors\` likewise.

\`\`\`json
{
  "code": "TAILWIND_LIMIT",
  "severity": "warning",
  "field": "weather",
  "text": "Tailwind 25 kt exceeds the limit of 15 kt.",
  "value": 25,
  "limit": 15,
  "unit": "kt"
}
\`\`\`

- \`code\` does not change between versions; new codes are added.
- \`severity\` is \`warning\` if a limit or a requirement is not met, \`error\` if there is no result, and \`advisory\` otherwise.
- \`field\` is the field of the request that the caution is about, or \`performance.…\` for a field of the answer.
- \`value\` and \`limit\` are the two numbers that were compared, in \`unit\` and with the rounding of the text; they are null if nothing was compared.

Exceeded limits are also in \`performance.limitsExceeded\`. With any of them no \`verdict\` is better than \`LIMIT_EXCEEDED\`;
\`distanceVerdict\` is the verdict of the distance alone.`;

/** The complete page; a test compares it with the committed file. */
export const cautionPage = (): string =>
  `${[head, '## Cautions', rows(cautionMeanings, cautionWords), '## Cautions of a takeoff', rows(takeoffMeanings, takeoffCautionWords), '## Cautions without numbers', rows(plainCautions), '## No result', rows(refusalMeanings, refusalWords)].join('\n\n')}\n`;
