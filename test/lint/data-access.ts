import type { Rule } from './rule.ts';

type Exported = Parameters<NonNullable<ReturnType<NonNullable<Rule['create']>>['ExportNamedDeclaration']>>[0];

interface Taken {
  name: string;
  type: string | null;
}

const isDatabaseType = (type: string | null): boolean => type === 'ReadDb' || type === 'Tx';

/** Exported arrow functions with their parameters, in the order of the file. */
const functionsOf = (node: Exported): { name: string; isAsync: boolean; params: Taken[] }[] => {
  if (node.declaration?.type !== 'VariableDeclaration') return [];
  return node.declaration.declarations.flatMap(({ id, init }) => {
    if (id.type !== 'Identifier' || init?.type !== 'ArrowFunctionExpression') return [];
    const params = init.params.map((param): Taken => {
      const isNamed = 'typeAnnotation' in param && param.typeAnnotation !== null;
      const type = isNamed ? param.typeAnnotation?.typeAnnotation : undefined;
      const isReference = type?.type === 'TSTypeReference' && type.typeName.type === 'Identifier';
      return {
        name: param.type === 'Identifier' ? param.name : '',
        type: isReference && type.typeName.type === 'Identifier' ? type.typeName.name : null,
      };
    });
    return [{ name: id.name, isAsync: init.async, params }];
  });
};

/** A function with a database is `xRepo(db: ReadDb)`, which reads, or `xWrites(tx: Tx)`, which writes. */
export const repository: Rule = {
  create: (context) => ({
    ExportNamedDeclaration: (node) => {
      for (const { name, params } of functionsOf(node)) {
        const takes = params.map((param) => `${param.name}: ${param.type}`).join(', ');
        const touches = params.some(({ type }) => isDatabaseType(type));
        const isRepo = name.endsWith('Repo');
        const isWrites = name.endsWith('Writes');
        const isRight = isRepo ? takes === 'db: ReadDb' : isWrites ? takes === 'tx: Tx' : !touches;
        if (!isRight)
          context.report({
            node,
            message: `${name}: reads are methods of xRepo(db: ReadDb), writes of xWrites(tx: Tx).`,
          });
      }
    },
  }),
};

/**
 * A command is `(tx, deps, input)`; one that only reads takes a `db`, or its sources. A pure function in its
 * file is not a command.
 */
export const command: Rule = {
  create: (context) => ({
    ExportNamedDeclaration: (node) => {
      for (const { name, isAsync, params } of functionsOf(node)) {
        const [first, ...rest] = params;
        const isFirst =
          (first?.name === 'tx' && first.type === 'Tx') || (first?.name === 'db' && first.type === 'ReadDb');
        const touches = params.some(({ type }) => isDatabaseType(type));
        if (!isAsync && !touches) continue;
        const hasAll = params.some(({ type }) => type === 'Context' || type === 'Postgres');
        const isRight = touches ? isFirst && !rest.some(({ type }) => isDatabaseType(type)) : true;
        if (!isRight || params.length > 3 || hasAll)
          context.report({
            node,
            message: `${name}: a command is (tx: Tx, deps, input); deps is never the whole context.`,
          });
      }
    },
  }),
};
