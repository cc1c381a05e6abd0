/** The text of a PDF as a reader selects it: glyphs of embedded fonts by their ToUnicode maps, page by page. */
import { inflateSync } from 'node:zlib';

interface Parts {
  /** By number of the object. */
  objects: Map<number, { dictionary: string; stream: string }>;
}

const partsOf = (pdf: Buffer): Parts => {
  const text = pdf.toString('latin1');
  const objects: Parts['objects'] = new Map();
  for (const [, id = '', body = ''] of text.matchAll(/(\d+) 0 obj\n([^]*?)\nendobj/g)) {
    const [dictionary = '', after] = body.split(/\nstream\n/, 2);
    const raw = after === undefined ? '' : after.replace(/\nendstream$/, '');
    const bytes = Buffer.from(raw, 'latin1');
    const isDeflated = dictionary.includes('/FlateDecode') && !dictionary.includes('/Image');
    objects.set(Number(id), {
      dictionary,
      stream: isDeflated ? inflateSync(bytes).toString('latin1') : raw,
    });
  }
  return { objects };
};

const reference = (dictionary: string, name: string): number =>
  Number(new RegExp(`/${name} (\\d+) 0 R`).exec(dictionary)?.[1]);

/** A ToUnicode map, from glyph to text. */
const glyphsOf = (map: string): Map<number, string> => {
  const glyphs = new Map<number, string>();
  for (const [, from = '', list = ''] of map.matchAll(/<([\da-f]{4})> <[\da-f]{4}> \[([^\]]*)\]/g))
    for (const [i, [, hex = '']] of [...list.matchAll(/<([\da-f ]*)>/g)].entries())
      glyphs.set(
        Number.parseInt(from, 16) + i,
        Buffer.from(hex.replaceAll(' ', ''), 'hex').swap16().toString('utf16le'),
      );
  return glyphs;
};

/** Each text that is shown, page by page. */
export const pdfTexts = (pdf: Buffer): string[][] => {
  const { objects } = partsOf(pdf);
  const pages = [...objects.values()].filter(({ dictionary }) => /\/Type \/Page\b(?!s)/.test(dictionary));
  return pages.map(({ dictionary }) => {
    const resources = objects.get(reference(dictionary, 'Resources'))?.dictionary ?? '';
    const fonts = new Map(
      [...resources.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name = '', id = '']) => {
        const map = reference(objects.get(Number(id))?.dictionary ?? '', 'ToUnicode');
        return [name, glyphsOf(objects.get(map)?.stream ?? '')];
      }),
    );
    const content = objects.get(reference(dictionary, 'Contents'))?.stream ?? '';
    let glyphs = new Map<number, string>();
    return [...content.matchAll(/\/(F\d+) [\d.]+ Tf|\[((?:<[\da-f]*>|[-\d. ])+)\] TJ/g)].flatMap(
      ([, font, shown]) => {
        if (font !== undefined) glyphs = fonts.get(font) ?? new Map<number, string>();
        if (shown === undefined) return [];
        const hex = [...shown.matchAll(/<([\da-f]*)>/g)].map(([, part]) => part).join('');
        const ids = hex.match(/.{4}/g) ?? [];
        return [ids.map((id) => glyphs.get(Number.parseInt(id, 16)) ?? '\u{FFFD}').join('')];
      },
    );
  });
};
