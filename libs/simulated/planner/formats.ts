/** Converts a plan to SimBrief's JSON. */

/** An element: text, children, or several of the same name. An empty text or list is an empty element. */
export type PlanNode = string | readonly PlanNode[] | { readonly [name: string]: PlanNode };

export type PlanTree = Readonly<Record<string, PlanNode>>;

export const isList = (node: PlanNode): node is readonly PlanNode[] => Array.isArray(node);

/** Lists with unnamed entries. */
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

/** Times become ISO 8601, durations clock values. */
export const planJsonOf = (node: PlanNode, name = ''): unknown => {
  if (typeof node === 'string') return newText(name, node);
  if (isList(node)) return node.map((entry) => planJsonOf(entry, name));
  const inner = node[containers.get(name) ?? ''];
  if (inner !== undefined) return planJsonOf(inner);
  return Object.fromEntries(Object.entries(node).map(([child, value]) => [child, planJsonOf(value, child)]));
};
