/** The OpenAPI document of /v2. Its version is also the X-API-Contract-Version header (V-9.2). */
import { recordedExample } from '../reference/examples.ts';
import base from '../reference/openapi.json' with { type: 'json' };
import { v2Codes } from './errors.ts';

import documented from './schemas.json' with { type: 'json' };

export const contractVersion = '2.0.0';

const header = (description: string) => ({ description, schema: { type: 'string' } });

const responseHeaders = {
  'X-Request-Id': header('The id of this request: yours if it had 8 to 64 characters of A-Z a-z 0-9 . _ -'),
  'X-API-Contract-Version': header('Version of this document.'),
};

const clientHeaders = [
  'X-SVC-Client',
  'X-SVC-Device',
  'X-SVC-OS',
  'X-SVC-App-Version',
  'X-SVC-Build',
  'X-SVC-Contract-Version',
].map((name) => ({
  name,
  in: 'header',
  required: false,
  description: 'Diagnostics only; never affects the response.',
  schema: { type: 'string' },
}));

const { Error: error } = documented;
const schemas = {
  ...documented,
  Error: {
    ...error,
    properties: { ...error.properties, code: { enum: v2Codes, ...error.properties.code } },
  },
};

const requestIdParameter = {
  name: 'X-Request-Id',
  in: 'header',
  required: false,
  description: 'Your id for the request; an invalid one is replaced.',
  schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{8,64}$' },
};

const parameters = [requestIdParameter, ...clientHeaders];

const json = (schema: object, example?: object) => ({
  'application/json': { schema, ...(example === undefined ? {} : { example }) },
});
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const problem = (description: string, name?: string) => {
  const example = name === undefined ? undefined : recordedExample(name)?.response;
  return {
    description,
    headers: responseHeaders,
    content: {
      'application/problem+json': { schema: ref('Error'), ...(example === undefined ? {} : { example }) },
    },
  };
};

const ok = (description: string, schema: object, example?: object) => ({
  description,
  headers: responseHeaders,
  content: json(schema, example),
});

/** OpenAPI 3.1 document for one deployment. */
export const openApiDocument = (baseUrl: string) => ({
  openapi: '3.1.0',
  info: {
    title: 'EFB Service, versioned interface',
    version: contractVersion,
    contact: { ...base.info.contact, url: baseUrl },
    license: base.info.license,
    description:
      'Independent of the main interface: its tokens, developer keys and applications are not accepted here. ' +
      'Sign-in, application registration and scopes do not exist yet, so a protected endpoint cannot succeed today. ' +
      'Access tokens will be opaque, live for a few minutes, be limited by scopes, and be bound to one deployment; ' +
      'longer sessions will be renewed through revocable sessions. Send tokens only in the Authorization header, ' +
      'never in a URL.',
  },
  servers: [{ url: baseUrl }],
  tags: [
    { name: 'service', description: 'State and description of the service.' },
    { name: 'identity', description: 'Who holds a token.' },
  ],
  paths: {
    '/v2/health': {
      get: {
        operationId: 'health',
        tags: ['service'],
        description: 'Never cached; needs no token.',
        summary: 'Is the service up?',
        security: [],
        parameters,
        responses: {
          200: ok('The service is up.', ref('Health'), recordedExample('v2-health')?.response),
          '4XX': problem('Not a GET request.'),
        },
      },
    },
    '/v2/openapi.json': {
      get: {
        operationId: 'openapi',
        tags: ['service'],
        description: 'OpenAPI 3.1 as JSON, of this deployment; needs no token.',
        summary: 'This document.',
        security: [],
        parameters,
        responses: {
          200: ok(
            'This document.',
            { type: 'object' },
            { openapi: '3.1.0', info: { version: contractVersion } },
          ),
          '4XX': problem('Not a GET request.'),
        },
      },
    },
    '/v2/me': {
      get: {
        operationId: 'me',
        tags: ['identity'],
        description: 'Cannot succeed today, because sign-in does not exist yet.',
        summary: 'The identity for which the access token was issued.',
        security: [{ accessToken: [] }],
        parameters,
        responses: {
          200: ok('The identity behind the token.', ref('Identity')),
          401: problem(
            '`authentication_required` without a token; `invalid_token` once authentication exists.',
            'v2-me-401',
          ),
          503: problem('`authentication_unavailable`: tokens cannot be checked yet.', 'v2-me-503'),
        },
      },
    },
  },
  components: {
    securitySchemes: {
      accessToken: {
        type: 'http',
        scheme: 'bearer',
        description: 'Opaque text, issued by this interface only.',
      },
    },
    schemas,
  },
});
