import type { CallExpression, Expression, Rule } from './rule.ts';

/** Methods of a schema that do not return a schema. */
const results = new Set([
  'parse',
  'safeParse',
  'parseAsync',
  'safeParseAsync',
  'encode',
  'decode',
  'isOptional',
]);
/** Functions of `z` that do not return a schema. */
const tools = new Set([
  'toJSONSchema',
  'prettifyError',
  'flattenError',
  'treeifyError',
  'registry',
  'config',
]);
/**
 * Methods that derive a schema from a schema, so that `userSchema.pick(…)` counts and `userSchema.shape.x()`
 * does not.
 */
const builders = new Set(
  (
    'extend safeExtend pick omit partial required strict loose catchall optional nullable nullish array or and pipe ' +
    'transform refine superRefine check default prefault catch describe meta brand readonly min max length regex'
  ).split(' '),
);

const methodOf = ({ callee }: CallExpression): string | null =>
  callee.type === 'MemberExpression' && callee.property.type === 'Identifier' ? callee.property.name : null;

/** The name at the start of `a.b().c()`. */
const rootOf = (node: Expression): string | null => {
  if (node.type === 'Identifier') return node.name;
  if (node.type === 'CallExpression') return rootOf(node.callee);
  if (node.type === 'MemberExpression') return rootOf(node.object);
  return null;
};

/** True for `z.object(…)…` and `someSchema.extend(…)`. */
const isSchema = (node: Expression | null): boolean => {
  if (node === null) return false;
  if (node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression')
    return isSchema(node.expression);
  if (node.type !== 'CallExpression') return false;
  const method = methodOf(node);
  const root = rootOf(node);
  if (method === null || root === null || results.has(method)) return false;
  return root === 'z' ? !tools.has(method) : root.endsWith('Schema') && builders.has(method);
};

/** A constant that holds a Zod schema ends in `Schema`. */
export const schemaName: Rule = {
  create: (context) => ({
    VariableDeclarator: ({ id, init }) => {
      if (id.type === 'Identifier' && isSchema(init) && !/^[a-z]\w*Schema$/.test(id.name))
        context.report({ node: id, message: `A Zod schema ends in Schema: ${id.name}Schema.` });
    },
  }),
};

const schemaOf = (type: string): string => `${type.charAt(0).toLowerCase()}${type.slice(1)}Schema`;

/** A type is inferred with `z.output` or `z.input` from the schema of the same name; `z.infer` hides which. */
export const schemaType: Rule = {
  create: (context) => ({
    TSQualifiedName: (node) => {
      const isInfer =
        node.left.type === 'Identifier' && node.left.name === 'z' && node.right.name === 'infer';
      if (isInfer) context.report({ node, message: 'Write z.output or z.input: z.infer hides which.' });
    },
    TSTypeAliasDeclaration: ({ id, typeAnnotation: type }) => {
      if (type.type !== 'TSTypeReference' || type.typeName.type !== 'TSQualifiedName') return;
      const { left, right } = type.typeName;
      const [of] = type.typeArguments?.params ?? [];
      if (left.type !== 'Identifier' || left.name !== 'z' || of?.type !== 'TSTypeQuery') return;
      if (of.exprName.type !== 'Identifier') return;
      const names = [schemaOf(id.name)];
      if (right.name === 'input') names.push(schemaOf(id.name.replace(/Input$/, '')));
      if (!names.includes(of.exprName.name))
        context.report({ node: id, message: `The type of ${of.exprName.name} is not named ${id.name}.` });
    },
  }),
};
