/** The reference, one page per resource, generated from the declarations and complete without scripts. */
import type { z } from 'zod';
import type { Registered, Registry } from '../../registry.ts';
import { requestExample, recordedExample } from '../../reference/examples.ts';
import { describedSchemas } from '../../reference/openapi.ts';
import { errorsText, getText, limitsText, needsText } from '../../reference/reference.ts';
import { tagOf } from '../../reference/openapi-by-query.ts';
import type { JsonSchema } from '../../reference/schemas.ts';
import { isRecord } from '#domain/record.ts';

export interface ReferencePage {
  /** Last part of the path: the folder of the operations. */
  name: string;
  title: string;
  operations: readonly Registered[];
  /** For an input with several shapes, such as LANDING of `requestType`. */
  variant?: string;
}

type Node = Readonly<Record<string, unknown>>;

const nodesIn = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isRecord) : []);

/** Deeper fields are only in the schema. */
const maxDepth = 6;

interface Field {
  path: string;
  type: string;
  isRequired: boolean;
  about: string;
}

const typeText = (schema: Node): string => {
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (Array.isArray(schema['enum']))
    return (schema['enum'] as unknown[]).map((each) => JSON.stringify(each)).join(', ');
  const branches = [schema['anyOf'], schema['oneOf']].flatMap(nodesIn);
  if (branches.length > 0)
    return [...new Set(branches.map(typeText))].filter((text) => text !== '').join(' or ');
  const { type } = schema;
  const own = Array.isArray(type) ? type.join(' or ') : typeof type === 'string' ? type : '';
  return own === 'array' && isRecord(schema['items']) ? `list of ${typeText(schema['items'])}` : own;
};

/** Fields of a schema, including those of its alternatives and list entries, depth first. */
const fieldsOf = (schema: Node, path: string, depth = 0): Field[] => {
  if (depth > maxDepth) return [];
  const required = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : [];
  const own = Object.entries(isRecord(schema['properties']) ? schema['properties'] : {}).flatMap(
    ([name, field]) => {
      if (!isRecord(field)) return [];
      const at = path === '' ? name : `${path}.${name}`;
      const about = typeof field['description'] === 'string' ? field['description'] : '';
      const first = { path: at, type: typeText(field), isRequired: required.includes(name), about };
      return [first, ...fieldsOf(field, at, depth + 1)];
    },
  );
  const branches = [schema['anyOf'], schema['oneOf'], schema['allOf']].flatMap(nodesIn);
  return [
    ...own,
    ...branches.flatMap((branch) => fieldsOf(branch, path, depth)),
    ...(isRecord(schema['items']) ? fieldsOf(schema['items'], `${path}[]`, depth + 1) : []),
  ];
};

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');

const maxFields = 400;

const fieldTable = (schema: JsonSchema, withRequired: boolean): string[] => {
  const all = [...new Map(fieldsOf(schema, '').map((field) => [field.path, field])).values()];
  if (all.length === 0) return [];
  const rows = all
    .slice(0, maxFields)
    .map(
      ({ path, type, isRequired, about }) =>
        `| \`${path}\` | ${cell(type)}${withRequired && isRequired ? ', required' : ''} | ${cell(about)} |`,
    );
  return [['| Field | Type | Meaning |', '| --- | --- | --- |', ...rows].join('\n')];
};

const json = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;

/** Folders whose title differs from their name. */
const titles: Readonly<Record<string, string>> = {
  navdata: 'Navigation data',
  ofp: 'Flight plans',
  users: 'Accounts',
  winds: 'Winds aloft',
};

/** The constants that distinguish the shapes of an input. */
const variantsOf = ({ input }: Registered): string[] => {
  const { def } = (input as unknown as z.core.$ZodTypes)._zod;
  if (def.type !== 'union' || !('discriminator' in def)) return [];
  return def.options.flatMap(({ _zod: { propValues } }) =>
    [...(propValues?.[String(def.discriminator)] ?? [])].map(String),
  );
};

const variantName = ({ name }: Registered, variant: string): string => `${name}-${variant.toLowerCase()}`;

const capital = (text: string): string => text.replace(/^./, (letter) => letter.toUpperCase());

/** Pages sorted by title; each shape of an input has its own page. */
export const referencePagesOf = (registry: Registry): ReferencePage[] =>
  [...Map.groupBy(registry.operations, tagOf)]
    .flatMap(([name, operations]): ReferencePage[] => [
      {
        name,
        title: titles[name] ?? capital(name.replaceAll('-', ' ')),
        operations: operations.toSorted((a, b) => a.name.localeCompare(b.name)),
      },
      ...operations.flatMap((operation) =>
        variantsOf(operation).map((variant) => ({
          name: variantName(operation, variant),
          title: `${capital(operation.name)}, ${variant.toLowerCase()}`,
          operations: [operation],
          variant,
        })),
      ),
    ])
    .sort((a, b) => a.title.localeCompare(b.title));

/** The shape of this variant, found by its constant; a constant may extend it, as LANDING_DISPATCH does LANDING. */
const shapeOf = (schema: Node, variant: string | undefined): Node =>
  nodesIn(schema['oneOf']).find(
    ({ properties }) =>
      variant !== undefined &&
      Object.values(isRecord(properties) ? properties : {}).some(
        (field) =>
          isRecord(field) &&
          [field['const'], field['enum']].flat().some((value) => String(value).startsWith(variant)),
      ),
  ) ?? schema;

export const pathOfReference = (name: string): string => `/docs/reference/${name}`;

/** `/docs`: every query by resource, one line each. */
export const overviewMarkdown = (pages: readonly ReferencePage[]): string =>
  [
    '# Reference',
    'Every query is `POST /api` with `{"query": name, "data": {…}}`. The same as a machine reads it: [OpenAPI](/api/openapi.json) · [JSON Schemas](/api/schemas); any API explorer can open it.',
    ...pages
      .filter(({ variant }) => variant === undefined)
      .flatMap(({ name, title, operations }) => [
        `## ${title}`,
        [
          '| Query | What it does | Needs |',
          '| --- | --- | --- |',
          ...operations.map(
            (operation) =>
              `| [${operation.name}](${pathOfReference(name)}#${operation.name.toLowerCase()}) | ${cell(operation.summary)} | ${needsText(operation)} |`,
          ),
        ].join('\n'),
      ]),
  ].join('\n\n');

/** `/docs/reference/weather`: the queries with fields, examples and errors. */
export const referenceMarkdown = ({ title, operations, variant }: ReferencePage): string => {
  const schemas = describedSchemas(operations);
  return [
    `# ${title}`,
    ...operations.flatMap((operation) => {
      const { name, summary, aliases = [] } = operation;
      const data = schemas[`${name}Request`]?.['properties'];
      const variants = variant === undefined ? variantsOf(operation) : [];
      const links = variants.map((each) => `[${each}](${pathOfReference(variantName(operation, each))})`);
      const fields = (schema: Node, isRequest: boolean): string[] =>
        variants.length > 0 ? [] : fieldTable(shapeOf(schema, variant), isRequest);
      const request = isRecord(data) && isRecord(data['data']) ? fields(data['data'], true) : [];
      const answer = recordedExample(name)?.response;
      return [
        `## ${name}`,
        summary,
        [
          `- Needs: ${needsText(operation)}`,
          ...(operation.get ? [`- Also ${getText(operation)}`] : []),
          `- Limits: ${limitsText(operation)}`,
          ...(aliases.length > 0
            ? [`- Also named ${aliases.map((alias) => `\`${alias}\``).join(', ')}`]
            : []),
          ...(links.length > 0 ? [`- Fields of call and answer: ${links.join(', ')}`] : []),
          `- [JSON Schema](/api/schemas/${name}.json)`,
        ].join('\n'),
        ...(request.length > 0 ? [`### Fields of data, ${name}`, ...request] : []),
        `### Call, ${name}`,
        json(requestExample(operation)),
        `### Answer, ${name}`,
        ...(answer === undefined ? [] : [json(answer)]),
        ...fields(schemas[`${name}Response`] ?? {}, false),
        `### Errors, ${name}`,
        ...errorsText(operation, '/docs/guide/errors'),
      ];
    }),
  ].join('\n\n');
};
