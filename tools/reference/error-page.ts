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

Almost all errors have this form, with the HTTP status of the error; the contract has some exceptions, which are listed below:

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

The same error has the same code and the same message in every query, except where the contract sets the message: \`Missing ICAO.\` of
\`weather\`, \`Missing required field: ident.\` and the EFB message of \`navdataSearch\`.

The message says in one sentence what is wrong with the input; if there are several problems, it names the first, and \`details\` lists all of
them. \`param\` is the path of the field, and \`docUrl\` leads to the row of the code on this page. \`hint\` says what was probably meant: the position
of a JSON error, the correct path or header, the known field whose name is most similar, the ICAO code for an IATA code. Show it to developers;
it is meant for people and may change.

## What a client does

1. Decide by the code, and for an unknown code by the HTTP status.
2. 401: sign in again, once. 429 and 503: wait as \`Retry-After\` says, then repeat. 409: read again, then decide.
3. Everything else: do not repeat. Show the message, and keep the pilot's input.
4. Every answer of \`/api\` has \`X-SVC-Log-Id\`. Show it with unexpected errors: it leads the operator to the call.`;

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
