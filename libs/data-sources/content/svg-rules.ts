/** What a drawing may consist of. Everything else is refused: an SVG is a program in the hands of a browser. */

export const svgNamespace = 'http://www.w3.org/2000/svg';
export const xlinkNamespace = 'http://www.w3.org/1999/xlink';
export const xmlNamespace = 'http://www.w3.org/XML/1998/namespace';
export const xmlnsNamespace = 'http://www.w3.org/2000/xmlns/';

/** Elements without scripts, animation, links, or foreign content. */
export const drawnElements: ReadonlySet<string> = new Set(
  (
    'svg g defs symbol use switch title desc metadata style path rect circle ellipse line polyline polygon text tspan ' +
    'textPath tref image marker mask clipPath pattern linearGradient radialGradient stop view font font-face ' +
    'font-face-src font-face-name glyph missing-glyph hkern vkern filter feBlend feColorMatrix feComponentTransfer ' +
    'feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA ' +
    'feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight ' +
    'feSpecularLighting feSpotLight feTile feTurbulence'
  ).split(' '),
);

/** Notes of drawing programs, which no viewer draws. */
export const inertNamespaces: ReadonlySet<string> = new Set([
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

/** A reference to a part of the same drawing, or for pictures one that is embedded. */
export const isSafeReference = (value: string, element: string): boolean =>
  localReference.test(value) ||
  ((element === 'image' || element === 'feImage') && embeddedPicture.test(value));

/** CSS that loads nothing; escapes could hide what it does. */
export const isSafeStyle = (css: string): boolean => {
  if (/[<\\]|@import|@charset|expression\s*\(|-moz-binding|behaviou?r\s*:|javascript:/i.test(css))
    return false;
  const references = css.match(/url\s*\([^)]*\)?/gi) ?? [];
  return references.every((text) => /^url\(\s*(["']?)#[\w.:-]{1,200}\1\s*\)$/i.test(text));
};

/** The document type of SVG 1.0 and 1.1, without further declarations. */
export const knownDoctype =
  /^\s*svg\s+PUBLIC\s+(["'])-\/\/W3C\/\/DTD SVG [\w. ]+\/\/EN\1\s+(["'])https?:\/\/www\.w3\.org\/[\w./-]+\2\s*$/;
