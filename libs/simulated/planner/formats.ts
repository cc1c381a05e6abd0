/** One plan in the three formats of SimBrief. */

/** An element: its text, its children, or several of the same name. An empty text or list is an empty element. */
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

/** Lists of the second JSON format whose entries have no name. */
const containers = new Map([
  ['navlog', 'fix'],
  ['wind_data', 'level'],
  ['notams', 'notamdrec'],
  ['fuel_extra', 'bucket'],
]);
const times = /^(?:(?:sched|est)_(?:out|off|on|in)|time_generated|metar_time|suitability_(?:start|end))$/;
const durations =
  /^(?:time_leg|elapsed_time|time_total|ete|taxi_out|taxi_in|reserve_time|endurance|(?:sched|est)_(?:block|time_enroute)|est_time_enroute)$/;
const changes = /^time_difference$/;

const clockOf = (seconds: number): string => {
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  return [hours, minutes, seconds % 60].map((part) => String(part).padStart(2, '0')).join(':');
};

const newText = (name: string, text: string): string => {
  if (text === '') return '';
  if (times.test(name)) return new Date(Number(text) * 1_000).toISOString().replace('.000', '');
  if (durations.test(name)) return clockOf(Number(text));
  return changes.test(name) ? `${text.startsWith('-') ? '-' : '+'}${clockOf(Math.abs(Number(text)))}` : text;
};

/** The second: an empty text is a text, a list is always one, times are ISO 8601 and durations clocks. */
export const newJsonOf = (node: PlanNode, name = ''): unknown => {
  if (typeof node === 'string') return newText(name, node);
  if (isList(node)) return node.map((entry) => newJsonOf(entry, name));
  const inner = node[containers.get(name) ?? ''];
  if (inner !== undefined) return newJsonOf(inner);
  return Object.fromEntries(Object.entries(node).map(([child, value]) => [child, newJsonOf(value, child)]));
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

export const xmlOf = (tree: PlanTree): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${element('OFP', tree)}\n`;

export type PlanFormat = 'json=1' | 'json=v2' | 'xml';

export const writePlan = (tree: PlanTree, format: PlanFormat): string => {
  if (format === 'xml') return xmlOf(tree);
  return JSON.stringify(format === 'json=1' ? oldJsonOf(tree) : newJsonOf(tree));
};
