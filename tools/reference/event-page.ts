/** docs/guide/events.md: application webhooks, from the declarations of the events. */
import { z } from 'zod';
import { messageOf, testEvent, webhookEvents } from '#domain/webhooks/events.ts';
import type { WebhookEvent } from '#domain/webhooks/events.ts';
import { retryDelaysSeconds } from '#domain/webhooks/retries.ts';
import { markdownTable } from './tables.ts';

const audiences = {
  user: 'applications in which the user is signed in',
  all: 'every application',
  operator: 'endpoints of the operator',
};

const typeOf = (schema: z.ZodType): string => {
  const { type, enum: values, anyOf } = z.toJSONSchema(schema) as Record<string, unknown>;
  if (Array.isArray(values)) return values.map((value) => `\`${String(value)}\``).join(' or ');
  if (Array.isArray(anyOf)) return anyOf.map(({ type: each }) => String(each)).join(' or ');
  return [type].flat().join(' or ');
};

const section = (name: WebhookEvent): string => {
  const { summary, audience, data, example } = webhookEvents[name];
  const fields = Object.entries(data.shape).map(([field, schema]) => [
    `\`${field}\``,
    typeOf(schema),
    schema.description ?? '',
  ]);
  const message = JSON.parse(messageOf(name, new Date('2026-09-16T12:00:00Z'), example)) as unknown;
  return [
    `### ${name}`,
    `${summary} Sent to ${audiences[audience]}.`,
    markdownTable(['Field of `data`', 'Type', 'Meaning'], fields),
    `\`\`\`json\n${JSON.stringify(message, null, 2)}\n\`\`\``,
  ].join('\n\n');
};

const waitText = (seconds: number): string => {
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3_600 ? `${seconds / 60} min` : `${seconds / 3_600} h`;
};

const head = `# Webhooks of applications

This page is generated from the declarations of the events (\`npm run docs\`), so it is complete.

Instead of polling, an application can receive events: a POST with a JSON body to an HTTPS address of its own.
Messages follow [Standard Webhooks](https://www.standardwebhooks.com), whose libraries verify them in most languages. (The messages of payment
gateways to this service are [something else](webhooks.md).)

## An endpoint

An endpoint belongs to the developer key of the application and lists the events that it receives. Add it at \`/developers\`, or ask the operator to:

\`\`\`text
npm run ops -- endpoint add --devkey 3 --url https://efb.example/hooks --events share.accepted,plan.imported
\`\`\`

The answer shows the secret (\`whsec_…\`) once. \`endpoint test --id N\` sends a message of the type \`${testEvent}\` with empty \`data\`.

### On localhost

During development the receiver runs on your own machine. Your own service sends to \`http://localhost:3000/hooks\` if you start it with
\`WEBHOOKS_TO_PRIVATE_NETWORKS=1\`. Any other service sends only to public HTTPS addresses: open a tunnel from one to your machine (\`ssh -R\` to a
server of yours, or a tunnel service), add its address as an endpoint, and send \`${testEvent}\` with the button at \`/developers\`.

## A message

\`\`\`text
webhook-id: msg_0b9c0c1e-8a2f-4f0e-9a53-0d1f7ce0a1b2
webhook-timestamp: 1789560000
webhook-signature: v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
\`\`\`

Verify a message before you parse it, on the bytes as received:

\`\`\`js
import { Webhook } from 'standardwebhooks';

const message = new Webhook(process.env.WEBHOOK_SECRET).verify(body, headers);
\`\`\`

- Answer with a status from 200 to 299 within 15 seconds, and do the work afterwards. The content of the answer is ignored, and
  redirects are not followed.
- Messages may come twice and in any order: \`webhook-id\` is the same in every attempt. A message says what happened; read the current state
  with a query.
- Another answer, or none, is tried again after ${retryDelaysSeconds.map(waitText).join(', ')} (each up to a tenth later, or later as
  \`Retry-After\` asks). After these three days no further attempt is made; the message can be replayed for 30 days (\`endpoint replay\`).
- An endpoint that has accepted nothing for three days, or that answers 410, is disabled, and a mail says so. \`endpoint enable\` switches it on again.
- After \`endpoint rotate\` both secrets sign for a day: \`webhook-signature\` has two values, of which the libraries accept either.
- Events about a user go only to applications in which the user is signed in, with the developer key of the login. Messages still waiting when the
  user signs out or the key loses the permission are not sent.

## Events`;

/** The complete page; a test compares it with the committed file. */
export const eventPage = (): string =>
  `${[head, ...(Object.keys(webhookEvents) as WebhookEvent[]).map(section)].join('\n\n')}\n`;
