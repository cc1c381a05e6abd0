/** One plan in the three formats of the planner. */

/** An element: its text, its children, or several of the same name. An empty text is an empty element. */
export type PlanNode = string | readonly PlanNode[] | { readonly [name: string]: PlanNode };

export type PlanTree = Readonly<Record<string, PlanNode>>;

const isList = (node: PlanNode): node is readonly PlanNode[] => Array.isArray(node);

const mapped = (node: PlanTree, map: (child: PlanNode) => unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(node).map(([name, child]) => [name, map(child)]));

/** The first JSON format: an empty element is `{}`, and one entry is not a list. */
export const oldJsonOf = (node: PlanNode): unknown => {
  if (typeof node === 'string') return node === '' ? {} : node;
  if (!isList(node)) return mapped(node, oldJsonOf);
  const [first] = node;
  if (first === undefined) return {};
  return node.length === 1 ? oldJsonOf(first) : node.map(oldJsonOf);
};

/** The second: an empty element is null, and a list is always one. */
export const newJsonOf = (node: PlanNode): unknown => {
  if (typeof node === 'string') return node === '' ? null : node;
  return isList(node) ? node.map(newJsonOf) : mapped(node, newJsonOf);
};

const escaped = (text: string): string =>
  /[<>]/.test(text) && !text.includes(']]>')
    ? `<![CDATA[${text}]]>`
    : text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const element = (name: string, node: PlanNode): string => {
  if (typeof node === 'string') return node === '' ? `<${name}/>` : `<${name}>${escaped(node)}</${name}>`;
  if (isList(node)) return node.map((entry) => element(name, entry)).join('\n');
  const children = Object.entries(node).map(([child, value]) => element(child, value));
  return `<${name}>\n${children.join('\n')}\n</${name}>`;
};

export const xmlOf = (tree: PlanTree): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${element('OFP', tree)}\n`;

export type PlanFormat = 'json=1' | 'json=v2' | 'xml';

export const writePlan = (tree: PlanTree, format: PlanFormat): string => {
  if (format === 'xml') return xmlOf(tree);
  return JSON.stringify(format === 'json=1' ? oldJsonOf(tree) : newJsonOf(tree));
};
