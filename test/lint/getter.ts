import type { Rule } from './rule.ts';

/** A getter in an object that a function creates gives each object another hidden class (ADR 4). */
export const getter: Rule = {
  create: (context) => {
    let functions = 0;
    const enter = (): void => {
      functions += 1;
    };
    const leave = (): void => {
      functions -= 1;
    };
    return {
      ArrowFunctionExpression: enter,
      'ArrowFunctionExpression:exit': leave,
      FunctionExpression: enter,
      'FunctionExpression:exit': leave,
      Property: (node) => {
        if (functions > 0 && node.kind !== 'init')
          context.report({ node, message: 'No getter in a function: return a function (ADR 4).' });
      },
    };
  },
};
