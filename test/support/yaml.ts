/**
 * Reads the subset of YAML that the compose file uses: mappings and sequences by indentation, flow sequences of
 * scalars, quoted and plain scalars, anchors and merges of mappings. Throws for anything else.
 */
export type Yaml = string | Yaml[] | { [key: string]: Yaml };

interface Line {
  indent: number;
  text: string;
  number: number;
}

const linesOf = (text: string): Line[] =>
  text
    .split('\n')
    .map((line, i) => ({ indent: line.search(/\S/), text: line.trim(), number: i + 1 }))
    .filter(({ text: content }) => content !== '' && !content.startsWith('#'));

const fail = (line: Line): never => {
  throw new Error(`line ${line.number} is not in the supported subset: ${line.text}`);
};

const scalarOf = (text: string, line: Line): Yaml => {
  if (text.startsWith('[')) {
    const inner = /^\[(.*)\]$/.exec(text)?.[1] ?? fail(line);
    const items = [...inner.matchAll(/\s*('[^']*'|[^',\s[\]{}]+)\s*(,|$)/g)];
    if (items.map(([all]) => all).join('') !== inner) fail(line);
    return items.map(([, item = '']) => scalarOf(item, line));
  }
  const quoted = /^'([^']*)'$/.exec(text)?.[1];
  if (quoted !== undefined) return quoted;
  if (/^["'|>{&*!%@`]|\s#|: |:$/.test(text)) fail(line);
  return text;
};

export const parseYaml = (text: string): Yaml => {
  const lines = linesOf(text);
  const anchors = new Map<string, Yaml>();
  let at = 0;

  const nested = (indent: number): Yaml => {
    const next = lines[at];
    return next && next.indent > indent ? block(next.indent) : '';
  };

  const valueOf = (rest: string, line: Line): Yaml => {
    const anchor = /^&(\w+)$/.exec(rest)?.[1];
    if (rest !== '' && anchor === undefined) return scalarOf(rest, line);
    const value = nested(line.indent);
    if (anchor !== undefined) anchors.set(anchor, value);
    return value;
  };

  const sequence = (indent: number): Yaml[] => {
    const items: Yaml[] = [];
    for (let line = lines[at]; line?.indent === indent; line = lines[at]) {
      const item = /^- (.+)$/.exec(line.text)?.[1] ?? fail(line);
      items.push(scalarOf(item, line));
      at += 1;
    }
    return items;
  };

  const mapping = (indent: number): Yaml => {
    const own: Record<string, Yaml> = {};
    let merged: Yaml = {};
    for (let line = lines[at]; line?.indent === indent; line = lines[at]) {
      const [, key = fail(line), rest = ''] = /^([\w.<-]+):(?: +(.*))?$/.exec(line.text) ?? [];
      at += 1;
      if (key === '<<') merged = anchors.get(/^\*(\w+)$/.exec(rest)?.[1] ?? fail(line)) ?? fail(line);
      else if (Object.hasOwn(own, key)) fail(line);
      else own[key] = valueOf(rest, line);
    }
    return { ...(merged as Record<string, Yaml>), ...own };
  };

  const block = (indent: number): Yaml =>
    lines[at]?.text.startsWith('- ') ? sequence(indent) : mapping(indent);

  const document = block(0);
  const left = lines[at];
  return left ? fail(left) : document;
};
