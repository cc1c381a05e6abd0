import { checklistJsonSchema } from '#domain/checklists/document.ts';
import { profileDataJsonSchema, profileJsonSchema } from '#domain/fleet/schema.ts';
import { apiVersion } from '../dialects.ts';
import type { Registered, Registries } from '../registry.ts';
import { componentsOf } from './components.ts';
import { described } from './describe.ts';
import { queryPaths } from './openapi-by-query.ts';
import base from './openapi.json' with { type: 'json' };
import { actionSchemas, subscriptionPaths } from './openapi-subscriptions.ts';
import { errorsOf, requestSchema, responseSchema } from './schemas.ts';
import type { JsonSchema } from './schemas.ts';

/** Formats that clients write, with their JSON Schemas; served under `/api/schemas`, like those of the queries. */
const documentSchemas: Readonly<Record<string, { description: string; schema: JsonSchema }>> = {
  checklist: {
    description: 'A checklist document, as in `checklist` of checklistSave and checklistGet.',
    schema: checklistJsonSchema(),
  },
  'aircraft-profile': {
    description: 'A whole aircraft profile, as the engine uses it after merging.',
    schema: profileJsonSchema(),
  },
  'fleet-profile': {
    description: 'The members of a profile that differ from its parent, as in `profileData` of fleetSave.',
    schema: profileDataJsonSchema(),
  },
};

/** The document with these queries, and everything that is not a query. */
export const documentOf = (operations: readonly Registered[], registries: Registries, baseUrl: string) => {
  const schemas = Object.fromEntries(
    Object.entries({ ...componentsOf(operations), ...actionSchemas(registries) }).map(
      ([name, schema]) => [name, described(name, schema)] as const,
    ),
  );
  return {
    openapi: '3.1.0',
    info: { ...base.info, version: apiVersion, contact: { ...base.info.contact, url: baseUrl } },
    servers: [{ url: baseUrl }],
    tags: base.tags,
    paths: {
      ...Object.assign({}, ...operations.map((operation) => queryPaths(operation, schemas))),
      ...base.paths,
      ...subscriptionPaths(registries),
    },
    components: { securitySchemes: base.components.securitySchemes, schemas },
  };
};

const urlOf = (baseUrl: string, name: string): string => `${baseUrl}/api/schemas/${name}.json`;

const identityOf = (baseUrl: string, name: string) => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: urlOf(baseUrl, name),
  title: name,
});

/**
 * Everything a client generator needs as JSON texts, generated from the declarations. Created lazily: together they take
 * longer than the rest of the startup.
 */
export const referenceDocuments = (registries: Registries, baseUrl: string) => {
  const operations = [...registries.queries.operations].sort((a, b) => a.name.localeCompare(b.name));
  const documents = Object.entries(documentSchemas).map(
    ([name, { description, schema }]): [string, () => string] => [
      name,
      () => JSON.stringify({ ...identityOf(baseUrl, name), description, ...schema }),
    ],
  );
  const schemas = operations.map((operation): [string, () => string] => [
    operation.name,
    () =>
      JSON.stringify({
        ...identityOf(baseUrl, operation.name),
        description: operation.summary,
        type: 'object',
        properties: {
          request: described(`${operation.name}Request`, requestSchema(operation)),
          response: {
            description: 'The answer of a success.',
            ...described(`${operation.name}Response`, responseSchema(operation)),
          },
        },
        'x-errors': errorsOf(operation),
      }),
  ]);
  return {
    /** OpenAPI 3.1, with one path for each query. */
    document: () => JSON.stringify(documentOf(operations, registries, baseUrl)),
    /** Names and URLs of the schemas. */
    index: () =>
      JSON.stringify({
        apiVersion,
        schemas: operations.map(({ name }) => ({ name, url: urlOf(baseUrl, name) })),
        documents: documents.map(([name]) => ({ name, url: urlOf(baseUrl, name) })),
      }),
    /** JSON Schema of one operation or format, by name. */
    schemas: new Map([...schemas, ...documents]),
  };
};
