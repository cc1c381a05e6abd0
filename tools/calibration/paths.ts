type Node = Record<string, unknown> | unknown[];

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** Child of a node; list entries are named by their index, `code` or `value`. */
const child = (node: Node, key: string): unknown => {
  if (!Array.isArray(node)) return node[key];
  const list: unknown[] = node;
  return (
    list.find(
      (entry) => isNode(entry) && !Array.isArray(entry) && (entry['code'] === key || entry['value'] === key),
    ) ?? list[Number(key)]
  );
};

const locate = (root: Node, path: string): { parent: Node; key: string } => {
  const keys = path.split('/');
  const key = keys.pop() ?? '';
  let node: Node = root;
  for (const step of keys) {
    const next = child(node, step);
    if (!isNode(next)) throw new Error(`no ${step} in ${path}`);
    node = next;
  }
  return { parent: node, key };
};

/** Number at a path like `autobrakes/MED/delayS`. */
export const readPath = (root: object, path: string): number => {
  const { parent, key } = locate(root as Node, path);
  const value = child(parent, key);
  if (typeof value !== 'number') throw new Error(`no number at ${path}`);
  return value;
};

/** Sets the number at a path, in place. */
export const writePath = (root: object, path: string, value: number): void => {
  const { parent, key } = locate(root as Node, path);
  if (Array.isArray(parent)) parent[Number(key)] = value;
  else parent[key] = value;
};
