/**
 * Strict XML 1.0 with namespaces in one pass, for documents that are checked and not read: a fraction of the time of a parser
 * that builds events. What is not understood is refused, so that nothing is seen here that a browser would read differently:
 * names are ASCII, and there are no declared entities.
 */
import { ContentError } from './walk.ts';
import {
  afterBlanks,
  afterName,
  checkNamespace,
  checkReferences,
  forbidden,
  isDeclaration,
  isRepeated,
  localOf,
  malformed,
  read,
  xmlDeclaration,
  xmlNamespace,
  xmlnsNamespace,
} from './xml-text.ts';

export interface ScannedAttribute {
  /** As written, with its prefix. */
  name: string;
  local: string;
  uri: string;
  value: string;
}

export interface ScannedTag {
  local: string;
  uri: string;
  /** Shared by all elements without any; not to be changed. */
  attributes: readonly ScannedAttribute[];
}

export interface ScanHandler {
  open: (tag: ScannedTag) => void;
  close: () => void;
  /** Text or CDATA within the root; `hasReferences`: to be read with `resolved`. */
  text: (value: string, hasReferences: boolean) => void;
  /** What follows `<!DOCTYPE`. */
  doctype: (value: string) => void;
}

export interface Scanner {
  /** Reads complete pieces from the start of the text; the length of what was read. Throws `ContentError`. */
  scan: (text: string) => number;
  /** True when the root has been closed. */
  isComplete: () => boolean;
}

const [bang, slash, lt, equals, gt, question] = [33, 47, 60, 61, 62, 63];
/** Of all that are declared where an element is. */
const maxPrefixes = 32;

const noAttributes: readonly ScannedAttribute[] = [];

export const createScanner = (handler: ScanHandler): Scanner => {
  const open: string[] = [];
  /** Namespaces by prefix, one map for each element that declares some; and the number of open elements at each. */
  let prefixes: ReadonlyMap<string, string> = new Map([
    ['xml', xmlNamespace],
    ['xmlns', xmlnsNamespace],
  ]);
  const outer: { depth: number; prefixes: ReadonlyMap<string, string> }[] = [];
  let [isBegun, hasRoot, hasDoctype] = [false, false, false];

  const uriOf = (prefix: string): string => prefixes.get(prefix) ?? malformed(`the prefix ${prefix}`);

  const declare = (attributes: readonly ScannedAttribute[]): void => {
    const declared = new Map(prefixes);
    for (const { name, local, uri, value } of attributes) {
      if (uri !== xmlnsNamespace) continue;
      const prefix = name === 'xmlns' ? '' : local;
      checkNamespace(prefix, value);
      declared.set(prefix, value);
      if (declared.size > maxPrefixes) malformed('too many namespaces');
    }
    outer.push({ depth: open.length, prefixes });
    prefixes = declared;
  };

  /** Gives attributes with a prefix their local names and namespaces, which the same element may declare. */
  const qualify = (attributes: readonly ScannedAttribute[]): void => {
    let declares = false;
    for (const attribute of attributes) {
      const { name } = attribute;
      attribute.local = localOf(name);
      if (!isDeclaration(name)) continue;
      attribute.uri = xmlnsNamespace;
      declares = true;
    }
    if (declares) declare(attributes);
    for (const attribute of attributes) {
      const colon = attribute.name.indexOf(':');
      if (colon >= 0) attribute.uri = uriOf(attribute.name.slice(0, colon));
    }
  };

  const leave = (): void => {
    open.pop();
    if (outer.at(-1)?.depth === open.length) prefixes = outer.pop()?.prefixes ?? prefixes;
    handler.close();
  };

  /** The end of a start tag; -1 when it is not complete. */
  const startTag = (text: string, from: number): number => {
    let at = afterName(text, from + 1);
    const name = text.slice(from + 1, at);
    let attributes: ScannedAttribute[] | null = null;
    let isPlain = true;
    for (;;) {
      const next = afterBlanks(text, at);
      const code = text.charCodeAt(next);
      const isEnd = code === gt || code === slash;
      if (isEnd) at = next;
      if (isEnd) break;
      // NaN is behind the end: the rest is still to come.
      if (code !== code) return -1;
      if (next === at) malformed('attributes without a blank between them');
      const nameEnd = afterName(text, next);
      const sign = afterBlanks(text, nameEnd);
      const quoteAt = afterBlanks(text, sign + 1);
      const quote = text[quoteAt];
      if (quote === undefined) return -1;
      if (text.charCodeAt(sign) !== equals || (quote !== '"' && quote !== "'"))
        malformed('an attribute without a value');
      const end = text.indexOf(quote, quoteAt + 1);
      if (end < 0) return -1;
      const value = text.slice(quoteAt + 1, end);
      if (value.includes('<')) malformed('a "<" in an attribute');
      const attribute = text.slice(next, nameEnd);
      if (attribute.includes(':') || attribute === 'xmlns') isPlain = false;
      attributes ??= [];
      attributes.push({
        name: attribute,
        local: attribute,
        uri: '',
        value: value.includes('&') ? read(value) : value,
      });
      at = end + 1;
    }
    const isEmpty = text.charCodeAt(at) === slash;
    if (isEmpty) {
      at += 1;
      if (at >= text.length) return -1;
      if (text.charCodeAt(at) !== gt) malformed('a "/" in a tag');
    }
    if (attributes && attributes.length > 1 && isRepeated(attributes)) malformed('an attribute twice');
    if (attributes && !isPlain) qualify(attributes);
    enter(name, attributes ?? noAttributes);
    if (isEmpty) leave();
    return at + 1;
  };

  const enter = (name: string, attributes: readonly ScannedAttribute[]): void => {
    if (open.length === 0 && hasRoot) malformed('something after the end');
    hasRoot = true;
    const colon = name.indexOf(':');
    open.push(name);
    handler.open({
      local: localOf(name),
      uri: colon < 0 ? (prefixes.get('') ?? '') : uriOf(name.slice(0, colon)),
      attributes,
    });
  };

  const endTag = (text: string, from: number): number => {
    const end = text.indexOf('>', from);
    if (end < 0) return -1;
    const name = open.at(-1) ?? malformed('an end of nothing');
    if (!text.startsWith(name, from + 2) || afterBlanks(text, from + 2 + name.length) !== end)
      malformed(`the end of ${name.slice(0, 50)} is missing`);
    leave();
    return end + 1;
  };

  const give = (value: string, isCdata: boolean): void => {
    const hasReferences = !isCdata && value.includes('&');
    if (hasReferences) checkReferences(value);
    if (open.length > 0) handler.text(value, hasReferences);
    else if (isCdata || afterBlanks(value, 0) < value.length) malformed('text outside of the root');
    if (!isCdata && value.includes(']]>')) malformed('"]]>" in a text');
  };

  /** Comment, CDATA or document type. */
  const declaration = (text: string, from: number): number => {
    if (text.startsWith('<!--', from)) {
      const end = text.indexOf('--', from + 4);
      if (end < 0 || end + 2 >= text.length) return -1;
      return text.charCodeAt(end + 2) === gt ? end + 3 : malformed('"--" in a comment');
    }
    if (text.startsWith('<![CDATA[', from)) {
      const end = text.indexOf(']]>', from);
      if (end < 0) return -1;
      give(text.slice(from + 9, end), true);
      return end + 3;
    }
    // The longest of these beginnings.
    if (text.length < from + 9) return -1;
    if (!text.startsWith('<!DOCTYPE', from) || hasRoot || hasDoctype) malformed('a declaration');
    const end = text.indexOf('>', from);
    if (end < 0) return -1;
    hasDoctype = true;
    handler.doctype(text.slice(from + 9, end));
    return end + 1;
  };

  const instruction = (text: string, from: number): number => {
    const end = text.indexOf('?>', from);
    if (end < 0) return -1;
    const declared = xmlDeclaration.exec(text.slice(from, end));
    if (isBegun || !declared) throw new ContentError('the drawing contains an instruction to load something');
    const encoding = declared[3] ?? 'utf-8';
    if (!/^utf-?8$/i.test(encoding))
      throw new ContentError(`the drawing contains text in ${encoding.slice(0, 20)}`);
    return end + 2;
  };

  /** The end of the piece at this place; -1 when it is not complete. */
  const piece = (text: string, from: number): number => {
    if (text.charCodeAt(from) !== lt) {
      const end = text.indexOf('<', from);
      if (end >= 0) give(text.slice(from, end), false);
      return end;
    }
    const code = text.charCodeAt(from + 1);
    if (code !== code) return -1;
    if (code === slash) return endTag(text, from);
    if (code === bang) return declaration(text, from);
    return code === question ? instruction(text, from) : startTag(text, from);
  };

  return {
    scan: (text) => {
      if (forbidden.test(text)) malformed('a character that no text has');
      let at = 0;
      while (at < text.length) {
        const end = piece(text, at);
        if (end < 0) break;
        isBegun = true;
        at = end;
      }
      return at;
    },
    isComplete: () => hasRoot && open.length === 0,
  };
};
