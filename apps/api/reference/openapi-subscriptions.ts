/** The signed endpoint and the webhooks in the OpenAPI document. */
import { signedPath } from '../define-action.ts';
import { webhookPath } from '../define-webhook.ts';
import type { Webhook } from '../define-webhook.ts';
import type { Registered, Registries } from '../registry.ts';
import { errorsOf, inputSchemaOf, responseSchema } from './schemas.ts';
import type { JsonSchema } from './schemas.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

const signedHeaders = [
  header('X-Timestamp', 'Unix seconds, within 5 minutes of the time of the server.'),
  header(
    'X-Signature',
    'Lower-case hex HMAC-SHA256 over API key, timestamp and action, keyed by the hex SHA-256 of user id and safety code.',
  ),
];

const withConfirmation = (action: Registered): JsonSchema => {
  const input = inputSchemaOf(action);
  if (action.changesState !== true) return input;
  const token = {
    type: 'string',
    description: 'Base64 of a signed JSON object; valid for 10 minutes, used once.',
  };
  const required = Array.isArray(input['required']) ? (input['required'] as string[]) : [];
  return {
    ...input,
    properties: { ...(input['properties'] as JsonSchema | undefined), confirmation_token: token },
    required: [...required, 'confirmation_token'],
  };
};

const errorAnswer = {
  description: 'Error of form (a).',
  content: { 'application/json': { schema: ref('ErrorCode') } },
};

const actionsOf = (method: 'GET' | 'POST', actions: readonly Registered[]) => {
  const own = actions.filter((action) => action.method === method);
  return {
    operationId: method === 'GET' ? 'signedRead' : 'signedChange',
    security: [{ apiKey: [], signature: [] }],
    parameters: [
      {
        name: 'action',
        in: 'query',
        required: true,
        description: 'Names the action.',
        schema: { enum: own.map(({ name }) => name) },
      },
      ...signedHeaders,
    ],
    ...(method === 'POST'
      ? {
          requestBody: {
            required: true,
            content: {
              'application/json': { schema: { anyOf: own.map(({ name }) => ref(`${name}Request`)) } },
            },
          },
        }
      : {}),
    responses: {
      200: {
        description: 'The answer of the action.',
        content: { 'application/json': { schema: { anyOf: own.map(({ name }) => ref(`${name}Response`)) } } },
      },
      default: errorAnswer,
    },
    'x-input-by-action': Object.fromEntries(
      own.map(({ name }) => [name, `#/components/schemas/${name}Request`]),
    ),
    'x-errors-by-action': Object.fromEntries(own.map((action) => [action.name, errorsOf(action)])),
  };
};

const webhookOf = (operation: Registered) => ({
  post: {
    operationId: operation.name,
    summary: operation.summary,
    security: [{ providerSignature: [] }],
    requestBody: {
      required: true,
      content: {
        'application/x-www-form-urlencoded': { schema: { type: 'object' } },
        'application/json': { schema: { type: 'object' } },
      },
    },
    responses: {
      200: { description: 'The receipt that ends the repetition of the message.' },
      default: errorAnswer,
    },
  },
  get: {
    operationId: `${operation.name}-probe`,
    summary: 'Answers the probe of a control panel.',
    security: [{}],
    responses: { 200: { description: 'Ready.' } },
  },
});

export const subscriptionPaths = ({ actions, webhooks }: Registries) => ({
  [signedPath]: { get: actionsOf('GET', actions.operations), post: actionsOf('POST', actions.operations) },
  ...Object.fromEntries(
    webhooks.operations.map((operation) => [
      webhookPath((operation as unknown as Webhook).webhook),
      webhookOf(operation),
    ]),
  ),
});

export const subscriptionSecurity = {
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
  signature: { type: 'apiKey', in: 'header', name: 'X-Signature' },
  providerSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'Signature',
    description: 'Each provider signs its messages in its own way, within the body; see the reference.',
  },
};

export const actionSchemas = ({ actions }: Registries): Record<string, JsonSchema> =>
  Object.fromEntries(
    actions.operations.flatMap((action) => [
      [`${action.name}Request`, withConfirmation(action)],
      [`${action.name}Response`, responseSchema(action)],
    ]),
  );
