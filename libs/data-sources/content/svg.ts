/** SVG, parsed as strict XML; a drawing that could do more than be drawn is refused (ADR 88). */
import { setTimeout as sleep } from 'node:timers/promises';
import { SaxesParser } from 'saxes';
import type { SaxesAttributeNS, SaxesTagNS } from 'saxes';
import { ContentError, refuse } from './source.ts';
import type { Source } from './source.ts';

/** Allowed content of a drawing. All else is refused, because browsers run code in SVG. */

const svgNamespace = 'http://www.w3.org/2000/svg';
const xlinkNamespace = 'http://www.w3.org/1999/xlink';
const xmlNamespace = 'http://www.w3.org/XML/1998/namespace';
const xmlnsNamespace = 'http://www.w3.org/2000/xmlns/';

/** Elements without scripts, animation, links, or foreign content. */
const drawnElements: ReadonlySet<string> = new Set(
  (
    'svg g defs symbol use switch title desc metadata style path rect circle ellipse line polyline polygon text tspan ' +
    'textPath tref image marker mask clipPath pattern linearGradient radialGradient stop view font font-face ' +
    'font-face-src font-face-name glyph missing-glyph hkern vkern filter feBlend feColorMatrix feComponentTransfer ' +
    'feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA ' +
    'feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight ' +
    'feSpecularLighting feSpotLight feTile feTurbulence'
  ).split(' '),
);

/** Metadata namespaces of drawing programs, which no viewer draws. */
const inertNamespaces: ReadonlySet<string> = new Set([
  'http://www.inkscape.org/namespaces/inkscape',
  'http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd',
  'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  'http://creativecommons.org/ns#',
  'http://web.resource.org/cc/',
  'http://purl.org/dc/elements/1.1/',
  'http://www.bohemiancoding.com/sketch/ns',
  'http://www.serif.com/',
  'http://www.figma.com/figma/ns',
  'http://schemas.microsoft.com/visio/2003/SVGExtensions/',
]);

const localReference = /^#[\w.:-]{1,200}$/;
const embeddedPicture = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*$/;

/** A reference within the same drawing, or for pictures to embedded data. */
const isSafeReference = (value: string, element: string): boolean =>
  localReference.test(value) ||
  ((element === 'image' || element === 'feImage') && embeddedPicture.test(value));

/** CSS that loads nothing and has no escapes, which could hide such loading. */
const isSafeStyle = (css: string): boolean => {
  if (/[<\\]|@import|@charset|expression\s*\(|-moz-binding|behaviou?r\s*:|javascript:/i.test(css))
    return false;
  const references = css.match(/url\s*\([^)]*\)?/gi) ?? [];
  return references.every((text) => /^url\(\s*(["']?)#[\w.:-]{1,200}\1\s*\)$/i.test(text));
};

/** The document type of SVG 1.0 and 1.1, without further declarations. */
const knownDoctype =
  /^\s*svg\s+PUBLIC\s+(["'])-\/\/W3C\/\/DTD SVG [\w. ]+\/\/EN\1\s+(["'])https?:\/\/www\.w3\.org\/[\w./-]+\2\s*$/;

const maxBytes = 4_194_304;
const maxDepth = 256;
/** Limit per drawing. */
const maxElements = 100_000;
const maxAttributes = 500_000;
/** Limit per element, which is parsed at once. */
const maxOwnAttributes = 1_000;
/** Limit on the copies drawn by all `use` elements together. */
const maxCopies = 100_000;
/** Amount parsed at once, in a few milliseconds. */
const sliceBytes = 8_192;

const without = (reason: string): never => refuse(`the drawing contains ${reason}`, 'save it without that');

const checkAttribute = ({ local, uri, value }: SaxesAttributeNS, element: string): void => {
  if (uri === xmlnsNamespace || inertNamespaces.has(uri)) return;
  if (/^on/i.test(local)) without('a script');
  if (uri === xmlNamespace ? local === 'base' : uri !== '' && uri !== xlinkNamespace)
    without(`the attribute ${local.slice(0, 50)}`);
  const isReference = /^(?:href|src)$/i.test(local);
  if (
    isReference ? !isSafeReference(value.trim(), element) : /url\s*\(|\\/i.test(value) && !isSafeStyle(value)
  )
    without('a reference to something outside');
  if (/^style$/i.test(local) && !isSafeStyle(value)) without('a style that loads something');
};

/** Counts drawn copies: a `use` of something that contains `use` multiplies them. */
const createCopies = () => {
  /** Contents and copies of each identified element, by id; '' is the drawing. */
  const parts = new Map<string, { id: string; copies: 0 | 1 }[]>();
  const open = [''];
  const add = (id: string, copies: 0 | 1): void => {
    const around = open.at(-1) ?? '';
    const known = parts.get(around);
    if (known) known.push({ id, copies });
    else parts.set(around, [{ id, copies }]);
  };
  const counted = new Map<string, number>();
  const path = new Set<string>();
  const countOf = (id: string): number => {
    const found = counted.get(id);
    if (found !== undefined) return found;
    if (path.has(id) || path.size > maxDepth) without('copies of itself');
    path.add(id);
    let sum = 0;
    for (const part of parts.get(id) ?? []) sum += part.copies + countOf(part.id);
    path.delete(id);
    counted.set(id, sum);
    return sum > maxCopies ? without('too many copies') : sum;
  };
  return {
    enter: ({ local, attributes }: SaxesTagNS): void => {
      open.push(attributes['id']?.value ?? open.at(-1) ?? '');
      if (local !== 'use') return;
      for (const { local: name, value } of Object.values(attributes))
        if (name === 'href') add(value.trim().slice(1), 1);
    },
    leave: (): void => {
      const id = open.pop() ?? '';
      // A part without copies adds none.
      if (id !== open.at(-1) && parts.has(id)) add(id, 0);
    },
    check: (): void => void countOf(''),
  };
};

const createParser = () => {
  const parser = new SaxesParser({ xmlns: true });
  const copies = createCopies();
  let [depth, elements, attributes, own, styleDepth] = [0, 0, 0, 0, 0];
  /** Text in a `style` element, which browsers join across comments. */
  let css = '';
  const style = (text: string): void => {
    if (styleDepth > 0) css += text;
  };
  parser.on('error', ({ message }) => {
    throw new ContentError(`the SVG is not well-formed: ${message}; save it again with another program`);
  });
  parser.on('xmldecl', ({ version, encoding = 'utf-8' }) => {
    if (version !== '1.0') without(`XML ${version}`);
    if (!/^utf-?8$/i.test(encoding)) without(`text in ${encoding.slice(0, 20)}`);
  });
  parser.on('processinginstruction', () => without('an instruction to load something'));
  parser.on('doctype', (text) => void (knownDoctype.test(text) || without('declarations')));
  parser.on('text', style);
  parser.on('cdata', style);
  parser.on('attribute', () => {
    attributes += 1;
    own += 1;
    if (own > maxOwnAttributes) without(`an element with more than ${maxOwnAttributes} attributes`);
    if (attributes > maxAttributes) without(`more than ${maxAttributes} attributes`);
  });
  parser.on('opentag', (tag) => {
    const { local, uri } = tag;
    depth += 1;
    elements += 1;
    own = 0;
    if (depth > maxDepth) without('too many levels');
    if (elements > maxElements) without(`more than ${maxElements} elements`);
    if (depth === 1 && (uri !== svgNamespace || local !== 'svg')) refuse('this is not an SVG');
    if (styleDepth > 0) without('an element in a style');
    if (uri === svgNamespace) {
      if (!drawnElements.has(local)) without(`the element ${local.slice(0, 50)}`);
      for (const attribute of Object.values(tag.attributes)) checkAttribute(attribute, local);
    } else if (!inertNamespaces.has(uri)) without('elements that are not drawn');
    if (local === 'style') styleDepth = depth;
    copies.enter(tag);
  });
  parser.on('closetag', () => {
    if (depth === styleDepth) {
      if (!isSafeStyle(css)) without('a style that loads something');
      [css, styleDepth] = ['', 0];
    }
    depth -= 1;
    copies.leave();
  });
  parser.on('end', copies.check);
  return parser;
};

export const svg = async ({ some, filled }: Source): Promise<number> => {
  if (filled > maxBytes)
    refuse('the drawing has more than 4 MB', 'make it simpler, or save it as PNG or PDF');
  const parser = createParser();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const textOf = (bytes?: Buffer): string => {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
    } catch (error) {
      if (error instanceof TypeError) return refuse('the SVG is not UTF-8 text');
      throw error;
    }
  };
  for (let at = 0; at < filled;) {
    const begun = performance.now();
    const slice = (await some(at)).subarray(0, Math.min(sliceBytes, filled - at));
    parser.write(textOf(slice));
    at += slice.length;
    // Leaves the thread to other calls for as long as this slice took.
    await sleep(performance.now() - begun);
  }
  parser.write(textOf()).close();
  return filled;
};
