/** docs/guide/errors.md: every code with its causes (the messages in the declarations) and its cure. */
import { commonErrors, errorEntry } from '#api/errors.ts';
import type { Registries } from '#api/registry.ts';
import { cureGroups } from './error-cures.ts';
import { markdownTable } from './tables.ts';

interface Cause {
  status: number;
  message: string;
}

/** Statuses and messages of every code that the service can return, without duplicates. */
export const causesByCode = ({
  queries,
  actions,
  webhooks,
}: Registries): ReadonlyMap<string, readonly Cause[]> => {
  const declared = [queries, actions, webhooks].flatMap(({ operations }) =>
    operations.flatMap(({ errors }) =>
      Object.keys(errors).map((code) => [code, errorEntry(errors, code)] as const),
    ),
  );
  const all = [...Object.entries(commonErrors), ...declared];
  return new Map(
    [...Map.groupBy(all, ([code]) => code)].map(([code, entries]) => [
      code,
      [
        ...new Map(
          entries.flatMap(([, entry]) =>
            entry ? [[`${entry.status} ${entry.message}`, entry] as const] : [],
          ),
        ).values(),
      ],
    ]),
  );
};

const rowOf = (code: string, cure: string, causes: readonly Cause[]): string[] => {
  const statuses = [...new Set(causes.map(({ status }) => status))].join(', ');
  const messages = [...new Set(causes.map(({ message }) => message))].join(' · ');
  return [`\`${code}\``, statuses, messages, cure];
};

const head = `# Errors

This page is generated from the declarations of the service (\`npm run docs\`), so it is complete.

An error has a code for programs, which does not change between versions, and a message for people, which may. \`{field}\` in a
message below is the name of the field in question.

## Forms

One form is the rule, with the HTTP status of the error; the exceptions are those of the contract, and each is named below:

\`\`\`sh
curl -s http://127.0.0.1:8080/api -H 'content-type: application/json' -d '{ "query": "wether" }'
\`\`\`

\`\`\`json 400
{
  "success": false,
  "error": { "message": "Unknown query. Did you mean weather?", "code": "UNKNOWN_QUERY", "status": 400 },
  "nearest": [ "weather" ]
}
\`\`\`

The exceptions:

| Query                    | Form                                                                |
| ------------------------ | ------------------------------------------------------------------- |
| \`weather\`, \`reportQuery\` | \`{ "Error": [{ "message", "code" }] }\`, the code in the first entry |
| \`navdataSearch\`          | the same, always with status 200                                    |
| \`submitFeedback\`         | the same with \`Message\` in place of \`message\`                       |
| \`saveUserSettings\`       | \`{ "error": "…", "details": ["…"] }\`, without a code                |

\`\`\`sh
curl -s http://127.0.0.1:8080/api -H 'content-type: application/json' -H "authorization: Bearer $TOKEN" -d '{
  "query": "weather", "data": {} }'
\`\`\`

\`\`\`json 400
{ "Error": [ { "message": "Missing ICAO.", "code": "MISSING_ICAO" } ] }
\`\`\`

A fault has the same code and the same words in every query, except where the contract has words for it: \`Missing ICAO.\` of
\`weather\`, \`Missing required field: ident.\` and the EFB message of \`navdataSearch\`.

The message says what is wrong with the input in one sentence: of several problems the first, with all of them in \`details\`. \`param\` is the
path of its field, and \`docUrl\` leads to the row of the code on this page. \`hint\` says what was probably meant: the place in the JSON that is wrong, the right path or header, the known field with
nearly the same name as an unknown one, the ICAO code for an IATA code. Show it to developers; it is worded for people and may change.

## What a client does

1. Look at the code; for one that it does not know, at the HTTP status.
2. 401: sign in again, once. 429 and 503: wait as \`Retry-After\` says, then repeat. 409: read again, then decide.
3. Everything else: do not repeat. Show the message, and keep what the pilot entered.
4. Every answer of \`/api\` has \`X-SVC-Log-Id\`. Show it with unexpected errors: the operator finds the call by it.`;

/** The complete page; a test compares it with the committed file. */
export const errorPage = (registries: Registries): string => {
  const causes = causesByCode(registries);
  const sections = cureGroups.map(({ title, about, cures }) =>
    [
      `## ${title}`,
      about,
      markdownTable(
        ['Code', 'HTTP', 'Cause', 'Cure'],
        Object.keys(cures)
          .sort()
          .map((code) => rowOf(code, cures[code] ?? '', causes.get(code) ?? [])),
      ),
    ].join('\n\n'),
  );
  return `${[head, ...sections].join('\n\n')}\n`;
};
