import { graphicUrl, scenesOfKind } from '#domain/performance/graphic.ts';
import type { GraphicFormat } from '#domain/performance/graphic.ts';
import type { CalculationKind } from '#domain/performance/history.ts';

/** URLs of a drawing. */
interface Picture {
  svg: string;
  png: string;
  jpg: string;
}

/** URLs of the drawings of a kind by name, in the colours that the ending of the names means. */
type Pictures<K extends CalculationKind> = Record<(typeof scenesOfKind)[K][number], Picture>;

const picturesOf = <K extends CalculationKind>(
  baseUrl: string,
  publicId: string,
  kind: K,
  ending: '' | '-dark',
): Pictures<K> => {
  const url = (name: string, format: GraphicFormat): string =>
    graphicUrl(baseUrl, publicId, `${name}${ending}`, format);
  const names: readonly string[] = scenesOfKind[kind];
  const entries = names.map((name): [string, Picture] => [
    name,
    { svg: url(name, 'svg'), png: url(name, 'png'), jpg: url(name, 'jpg') },
  ]);
  return Object.fromEntries(entries) as Pictures<K>;
};

/** An answer with the URLs of its drawings, which are made from it when they are requested. */
export const withPictures = <A extends { performance?: unknown }, K extends CalculationKind>(
  answer: A,
  baseUrl: string,
  { calculationId, kind }: { calculationId: string; kind: K },
) => ({
  ...answer,
  performance: {
    ...(answer.performance as NonNullable<A['performance']> & object),
    graphic: picturesOf(baseUrl, calculationId, kind, ''),
  },
  graphicDark: picturesOf(baseUrl, calculationId, kind, '-dark'),
});
