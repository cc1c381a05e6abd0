import type { Binding, Class, Rule, TypeAlias } from './rule.ts';

const camelCase = /^_?[a-z][a-zA-Z0-9]*$|^_+$/;
const pascalCase = /^[A-Z][a-zA-Z0-9]*$/;
const prefixed = /^[IT][A-Z][a-z]/;

/** Names chosen by a declaration; destructured properties have the names of their source. */
const namesIn = (binding: Binding): { name: string; node: NonNullable<Binding> }[] => {
  if (binding === null) return [];
  if (binding.type === 'Identifier') return [{ name: binding.name, node: binding }];
  if (binding.type === 'ArrayPattern') return binding.elements.flatMap(namesIn);
  if (binding.type === 'AssignmentPattern') return namesIn(binding.left);
  if (binding.type === 'RestElement') return namesIn(binding.argument);
  return [];
};

/** Variables, constants and parameters are camelCase. */
export const valueName: Rule = {
  create: (context) => {
    const check = (binding: Binding): void => {
      for (const { name, node } of namesIn(binding))
        if (!camelCase.test(name)) context.report({ node, message: `${name} is not camelCase.` });
    };
    return {
      VariableDeclarator: ({ id }) => check(id),
      ArrowFunctionExpression: ({ params }) => params.forEach(check),
      FunctionExpression: ({ params }) => params.forEach(check),
    };
  },
};

/** Types and interfaces are PascalCase, without a prefix I or T. */
export const typeName: Rule = {
  create: (context) => {
    const check = (id: TypeAlias['id']): void => {
      if (!pascalCase.test(id.name)) context.report({ node: id, message: `${id.name} is not PascalCase.` });
      if (prefixed.test(id.name)) context.report({ node: id, message: `No prefix: ${id.name.slice(1)}.` });
    };
    return { TSInterfaceDeclaration: ({ id }) => check(id), TSTypeAliasDeclaration: ({ id }) => check(id) };
  },
};

/** Classes are for errors only; everything else is a function that returns an object. */
export const errorClass: Rule = {
  create: (context) => {
    const check = (node: Class): void => {
      const parent = node.superClass;
      if (parent?.type !== 'Identifier' || !parent.name.endsWith('Error'))
        context.report({ node, message: 'Classes are for errors only: write a function.' });
    };
    return { ClassDeclaration: check, ClassExpression: check };
  },
};
