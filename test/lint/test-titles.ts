import type { CallExpression, Expression, Rule } from './rule.ts';

const functions = new Set(['describe', 'test', 'it']);
const idText = String.raw`[MVGAJ]-\d[\w.-]*\w|[MVGAJ]-\d`;
const anyId = new RegExp(String.raw`\b(?:${idText})`);
/** ` (M-5.1, G-03)` at the end. */
const endIds = new RegExp(String.raw` \((?:${idText})(?:, (?:${idText}))*\)$`);
/** A capital, a digit, a placeholder or quotation, or a name in its spelling (`returnUrl`, `dev_key`). */
const opening = /^(?:[A-Z0-9%$`'"“(/<]|[a-z]+[A-Z_./])/;
const placeholder = /%[a-z#%]|\$/;

/** The problem of a title, or null. */
const problemOf = (title: string, isTest: boolean): string | null => {
  const sentence = title.replace(endIds, '');
  if (anyId.test(sentence)) return 'Requirement ids come at the end: "A sentence (M-5.1, G-03)".';
  if (sentence === '') return 'A title must be more than its requirement ids.';
  if (!isTest) return null;
  if (!opening.test(sentence)) return 'A title starts with a capital.';
  if (sentence.endsWith('.')) return 'A title ends without a full stop.';
  if (sentence.split(/\s+/).length < 3 && !placeholder.test(sentence))
    return 'A title is a sentence of at least three words.';
  return null;
};

/** `test` of `test(…)`, `test.skip(…)` and `test.each(…)(…)`. */
const functionOf = (callee: CallExpression['callee'] | Expression): string | null => {
  if (callee.type === 'Identifier') return callee.name;
  if (callee.type === 'MemberExpression') return functionOf(callee.object);
  if (callee.type === 'CallExpression') return functionOf(callee.callee);
  if (callee.type === 'TaggedTemplateExpression') return functionOf(callee.tag);
  return null;
};

const textOf = (node: CallExpression['arguments'][number] | undefined): string | null => {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.raw).join('${}');
  return null;
};

/** Test titles are sentences; requirement ids come at the end, in parentheses. */
export const testTitle: Rule = {
  create: (context) => ({
    CallExpression: (node) => {
      const name = functionOf(node.callee);
      const [first] = node.arguments;
      const title = textOf(first);
      if (name === null || !functions.has(name) || title === null || first === undefined) return;
      const problem = problemOf(title, name !== 'describe');
      if (problem !== null) context.report({ node: first, message: problem });
    },
  }),
};
