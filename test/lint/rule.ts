/** Types for our own lint rules; oxlint exports them only through its tester. */
import type { RuleTester } from 'oxlint/plugins-dev';

export type Rule = Parameters<RuleTester['run']>[1];

type Visitor = ReturnType<NonNullable<Rule['create']>>;
type NodeOf<Name extends keyof Visitor> = Parameters<NonNullable<Visitor[Name]>>[0];

export type CallExpression = NodeOf<'CallExpression'>;
export type Class = NodeOf<'ClassDeclaration'>;
export type Expression = NonNullable<NodeOf<'VariableDeclarator'>['init']>;
export type TypeAlias = NodeOf<'TSTypeAliasDeclaration'>;
/** Forms of declaration of a variable or parameter. */
export type Binding =
  | NodeOf<'VariableDeclarator'>['id']
  | NodeOf<'ArrowFunctionExpression'>['params'][number]
  | null;
