/** The signed endpoint and the webhooks in the OpenAPI document. */
import { signedPath } from '../define-action.ts';
import { webhookPath } from '../webhooks/webhooks.ts';
import type { Webhook } from '../webhooks/webhooks.ts';
import type { Registered, Registries } from '../registry.ts';
import { ref } from './components.ts';
import { described } from './describe.ts';
import { namedExamples, recordedExample } from './examples.ts';
import base from './openapi.json' with { type: 'json' };
import { authText } from './terms.ts';
import { errorsOf, inputSchemaOf, responseSchema } from './schemas.ts';
import type { JsonSchema } from './schemas.ts';

const { parameters } = base.components;

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

/** Actions that read take their fields from the URL. */
const queryFieldsOf = (actions: readonly Registered[]) => {
  const fields = actions.flatMap((action) => {
    const { properties = {} } = described(`${action.name}Request`, inputSchemaOf(action));
    return Object.entries(properties as Record<string, JsonSchema>).map(([name, field]) => ({
      name,
      field,
      action: action.name,
    }));
  });
  return [...Map.groupBy(fields, ({ name }) => name)].map(([name, uses]) => {
    const { description, ...schema } = uses[0]?.field ?? {};
    const users = uses.map(({ action }) => `\`${action}\``).join(', ');
    return { name, in: 'query', description: `${String(description)} For ${users}.`, schema };
  });
};

const errorAnswer = {
  description: 'Error of form (a).',
  content: { 'application/json': { schema: ref('ErrorCode') } },
};

const actionsOf = (method: 'GET' | 'POST', actions: readonly Registered[]) => {
  const own = actions.filter((action) => action.method === method);
  return {
    operationId: method === 'GET' ? 'signedRead' : 'signedChange',
    tags: ['subscriptions'],
    summary: method === 'GET' ? 'Signed actions that read.' : 'Signed actions that change something.',
    description: own.map((action) => `- \`${action.name}\`: ${action.summary}`).join('\n'),
    security: [{ apiKey: [], signature: [] }],
    parameters: [
      {
        name: 'action',
        in: 'query',
        required: true,
        description: 'Names the action.',
        schema: { enum: own.map(({ name }) => name) },
        example: own[0]?.name,
      },
      parameters['X-Timestamp'],
      parameters['X-Signature'],
      ...(method === 'GET' ? queryFieldsOf(own) : []),
    ],
    ...(method === 'POST'
      ? {
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: { anyOf: own.map(({ name }) => ref(`${name}Request`)) },
                ...namedExamples(own, ({ name }) => recordedExample(name)?.request),
              },
            },
          },
        }
      : {}),
    responses: {
      200: {
        description: 'The answer of the action.',
        content: {
          'application/json': {
            schema: { anyOf: own.map(({ name }) => ref(`${name}Response`)) },
            ...namedExamples(own, ({ name }) => recordedExample(name)?.response),
          },
        },
      },
      '4XX': errorAnswer,
      '5XX': errorAnswer,
    },
    'x-input-by-action': Object.fromEntries(
      own.filter(() => method === 'POST').map(({ name }) => [name, `#/components/schemas/${name}Request`]),
    ),
    'x-errors-by-action': Object.fromEntries(own.map((action) => [action.name, errorsOf(action)])),
  };
};

const webhookOf = (operation: Registered) => ({
  post: {
    operationId: operation.name,
    tags: ['webhooks'],
    summary: operation.summary,
    description: `Verified by: ${authText(operation.auth)}. At most ${operation.maxBodyBytes} bytes.`,
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
      '4XX': errorAnswer,
      '5XX': errorAnswer,
    },
  },
  get: {
    operationId: `${operation.name}-probe`,
    tags: ['webhooks'],
    summary: 'Answers the probe of a control panel.',
    description: 'Answers 200 without reading anything.',
    security: [{}],
    responses: { 200: { description: 'Ready.' }, '4XX': errorAnswer },
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

export const actionSchemas = ({ actions }: Registries): Record<string, JsonSchema> =>
  Object.fromEntries(
    actions.operations.flatMap((action) => [
      ...(action.method === 'POST' ? [[`${action.name}Request`, withConfirmation(action)] as const] : []),
      [`${action.name}Response`, responseSchema(action)] as const,
    ]),
  );
