/** The reference, one page per resource, rendered from the OpenAPI document and complete without scripts. */
import { commonErrors } from '../../errors.ts';
import type { Registered, Registry } from '../../registry.ts';
import { tagOf } from '../../reference/openapi-by-query.ts';
import base from '../../reference/openapi.json' with { type: 'json' };
import { needsText } from '../../reference/terms.ts';
import { isRecord } from '#domain/record.ts';

export interface ReferencePage {
  /** Last part of the path: the folder of the operations. */
  name: string;
  title: string;
  operations: readonly Registered[];
}

type Node = Readonly<Record<string, unknown>>;

const nodesIn = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isRecord) : []);

/** The node at this path of keys; an empty node if there is none. */
const at = (value: unknown, ...keys: readonly string[]): Node => {
  const inner = keys.reduce<unknown>((node, key) => (isRecord(node) ? node[key] : undefined), value);
  return isRecord(inner) ? inner : {};
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] =>
  rows.length === 0
    ? []
    : [
        [head, head.map(() => '---'), ...rows]
          .map((cells) => `| ${cells.map(cell).join(' | ')} |`)
          .join('\n'),
      ];

const typeText = (schema: Node): string => {
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (Array.isArray(schema['enum'])) return schema['enum'].map((each) => JSON.stringify(each)).join(', ');
  const branches = [schema['anyOf'], schema['oneOf']].flatMap(nodesIn);
  if (branches.length > 0) return [...new Set(branches.map(typeText))].filter(Boolean).join(' or ');
  const own = [schema['type'] ?? []].flat().map(textOf).join(' or ');
  return own === 'array' ? `list of ${typeText(at(schema, 'items'))}` : own;
};

/** Deeper fields are only in the schema. */
const maxDepth = 6;
const maxFields = 400;

/** Rows for the fields of a schema, with those of its alternatives and list entries, by path and depth first. */
const fieldsOf = (schema: Node, path = '', depth = 0): [string, string[]][] => {
  if (depth > maxDepth) return [];
  const required = [schema['required']].flat();
  const own = Object.entries(at(schema, 'properties')).flatMap(([name, field]): [string, string[]][] => {
    const node = at(field);
    const inner = path === '' ? name : `${path}.${name}`;
    const type = `${typeText(node)}${required.includes(name) ? ', required' : ''}`;
    return [
      [inner, [`\`${inner}\``, type, textOf(node['description'])]],
      ...fieldsOf(node, inner, depth + 1),
    ];
  });
  const branches = [schema['anyOf'], schema['oneOf'], schema['allOf']].flatMap(nodesIn);
  return [
    ...own,
    ...branches.flatMap((branch) => fieldsOf(branch, path, depth)),
    ...(isRecord(schema['items']) ? fieldsOf(schema['items'], `${path}[]`, depth + 1) : []),
  ];
};

const fieldTable = (schema: Node): string[] =>
  table(['Field', 'Type', 'Meaning'], [...new Map(fieldsOf(schema)).values()].slice(0, maxFields));

/** Pages sorted by title. */
export const referencePagesOf = (registry: Registry): ReferencePage[] =>
  [...Map.groupBy(registry.operations, tagOf)]
    .map(([name, operations]) => ({
      name,
      title: base.tags.find((tag) => tag.name === name)?.['x-displayName'] ?? name,
      operations: operations.toSorted((a, b) => a.name.localeCompare(b.name)),
    }))
    .sort((a, b) => a.title.localeCompare(b.title));

export const pathOfReference = (name: string): string => `/docs/reference/${name}`;

/** `/docs`: every query by resource, one line each. */
export const overviewMarkdown = (pages: readonly ReferencePage[]): string =>
  [
    '# Reference',
    'Every query is `POST /api` with `{"query": name, "data": {…}}`. The same as a machine reads it: [OpenAPI](/api/openapi.json) · [JSON Schemas](/api/schemas); any API explorer can open it.',
    ...pages.flatMap(({ name, title, operations }) => [
      `## ${title}`,
      ...table(
        ['Query', 'What it does', 'Needs'],
        operations.map((operation) => [
          `[${operation.name}](${pathOfReference(name)}#${operation.name.toLowerCase()})`,
          operation.summary,
          needsText(operation),
        ]),
      ),
    ]),
  ].join('\n\n');

/** Examples in a body, whatever its type. */
const examplesOf = (content: Node): string[] =>
  Object.values(content)
    .flatMap((body) => [
      at(body)['example'],
      ...Object.values(at(body, 'examples')).map((each) => at(each)['value']),
    ])
    .filter((example) => example !== undefined)
    .map((example) =>
      typeof example === 'string'
        ? `\`\`\`text\n${example.trimEnd()}\n\`\`\``
        : `\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``,
    );

/** Errors from the descriptions of the responses as a table; common ones only by code. */
const errorsText = (responses: Node): string[] => {
  const errors = Object.entries(responses).flatMap(([status, response]) =>
    [...textOf(at(response)['description']).matchAll(/^`([A-Z_]+)`: (.*)$/gm)].map(
      ([, code = '', message = '']) => [code, status, message] as const,
    ),
  );
  const common: Readonly<Record<string, { message: string }>> = commonErrors;
  const [own = [], shared = []] = [false, true].map((isCommon) =>
    errors.filter(([code, , message]) => (common[code]?.message === message) === isCommon),
  );
  return [
    ...table(
      ['Error', 'HTTP', 'Message'],
      own.map(([code, ...rest]) => [`\`${code}\``, ...rest]),
    ),
    ...(shared.length > 0
      ? [`Also ${shared.map(([code]) => `\`${code}\``).join(', ')} ([common errors](/docs/guide/errors)).`]
      : []),
  ];
};

/** Parameters as a schema with a field for each. */
const schemaOfParameters = (parameters: readonly Node[]): Node => ({
  required: parameters.filter(({ required }) => required).map(({ name }) => name),
  properties: Object.fromEntries(
    parameters.map(({ name, description, schema }) => [textOf(name), { ...at(schema), description }]),
  ),
});

/** The shapes of a call or an answer by the constants that distinguish them, such as LANDING and TAKEOFF. */
const shapesOf = (schema: Node): [string, Node][] =>
  'oneOf' in schema
    ? nodesIn(schema['oneOf']).map((shape) => {
        const fields = Object.values(at(shape, 'properties')).map((field) => at(field));
        const { const: value, enum: values } = fields.find((field) => field['const'] ?? field['enum']) ?? {};
        return [`, ${[value ?? values].flat().join(', ')}`, shape];
      })
    : [['', schema]];

const sectionOf = (path: string, method: string, operation: Node, document: Node): string[] => {
  const name = textOf(operation['operationId']);
  const part = (title: string, texts: readonly string[]): string[] =>
    texts.length === 0 ? [] : [`### ${title}, ${name}`, ...texts];
  const fields = (title: string, schema: Node): string[] =>
    shapesOf(schema).flatMap(([shape, each]) => part(`${title}${shape}`, fieldTable(each)));
  const schemas = at(document, 'components', 'schemas');
  const { query, data } = at(schemas, `${name}Request`, 'properties');
  const isQuery = query !== undefined;
  const facts = [
    `/api/get/${name}` in at(document, 'paths') &&
      `Also \`GET /api/get/${name}\`, with the fields of \`data\` as parameters`,
    ...[at(query)['enum'] ?? []]
      .flat()
      .slice(1)
      .map((alias) => `Also named \`${textOf(alias)}\``),
    isQuery && `[JSON Schema](/api/schemas/${name}.json)`,
  ];
  return [
    `## ${name}`,
    textOf(operation['summary']),
    isQuery ? '' : `\`${method.toUpperCase()} ${path}\``,
    textOf(operation['description']),
    facts.flatMap((fact) => (fact ? [`- ${fact}`] : [])).join('\n'),
    ...fields('Fields', isQuery ? at(data) : schemaOfParameters(nodesIn(operation['parameters']))),
    ...part('Call', examplesOf(at(operation, 'requestBody', 'content'))),
    ...part('Answer', examplesOf(at(operation, 'responses', '200', 'content'))),
    ...fields('Fields of the answer', at(schemas, `${name}Response`)),
    ...part('Errors', errorsText(at(operation, 'responses'))),
  ];
};

/** `/docs/reference/weather`: the operations of a resource with fields, examples and errors. */
export const referenceMarkdown = ({ name, title }: ReferencePage, document: Node): string =>
  [
    `# ${title}`,
    ...Object.entries(at(document, 'paths')).flatMap(([path, methods]) =>
      path.startsWith('/api/get/')
        ? []
        : Object.entries(at(methods)).flatMap(([method, operation]) =>
            [at(operation)['tags']].flat().includes(name)
              ? sectionOf(path, method, at(operation), document)
              : [],
          ),
    ),
  ].join('\n\n');
