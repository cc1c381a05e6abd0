/** A synthetic plan in SimBrief's formats: two of JSON, and XML. */
import { isList, planJsonOf } from '#simulated/planner/formats.ts';
import type { PlanNode, PlanTree } from '#simulated/planner/formats.ts';

const mapped = (node: PlanTree, map: (child: PlanNode) => unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(node).map(([name, child]) => [name, map(child)]));

/** The first JSON format: an empty element is `{}`, and a single entry is no list. */
export const oldJsonOf = (node: PlanNode): unknown => {
  if (typeof node === 'string') return node === '' ? {} : node;
  if (!isList(node)) return mapped(node, oldJsonOf);
  const [first] = node;
  if (first === undefined) return {};
  return node.length === 1 ? oldJsonOf(first) : node.map(oldJsonOf);
};

const escaped = (text: string): string =>
  /[<>]/.test(text) && !text.includes(']]>')
    ? `<![CDATA[${text}]]>`
    : text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const element = (name: string, node: PlanNode): string => {
  if (typeof node === 'string') return node === '' ? `<${name}/>` : `<${name}>${escaped(node)}</${name}>`;
  if (isList(node)) return node.map((entry) => element(name, entry)).join('\n') || `<${name}/>`;
  const children = Object.entries(node).map(([child, value]) => element(child, value));
  return `<${name}>\n${children.join('\n')}\n</${name}>`;
};

const xmlOf = (tree: PlanTree): string => `<?xml version="1.0" encoding="UTF-8"?>\n${element('OFP', tree)}\n`;

export type PlanFormat = 'json=1' | 'json=v2' | 'xml';

export const writePlan = (tree: PlanTree, format: PlanFormat): string => {
  if (format === 'xml') return xmlOf(tree);
  return JSON.stringify(format === 'json=1' ? oldJsonOf(tree) : planJsonOf(tree));
};
