import { plainCaution } from '#domain/performance/caution.ts';
import type { CautionAnswer } from '#domain/performance/caution.ts';
import { graphicUrl, sceneNamesOf } from '#domain/performance/graphic.ts';
import type { GraphicFormat, SceneName } from '#domain/performance/graphic.ts';
import type { LandingRequest } from '#domain/performance/request.ts';
import type { LandingPerformance } from '#domain/performance/result.ts';
import type { Entitlement } from '#domain/subscriptions/entitlement.ts';
import type { LandingRunway } from '#domain/notam/landing-runway.ts';
import type { Entitlements, RunwayFacts } from '#perf/wire/types.ts';
import { converter } from '#perf/wire/units.ts';
import type { Converter } from '#perf/wire/units.ts';

/** The runway in the engine's form. */
export const runwayFacts = ({ id, end, exits }: LandingRunway): RunwayFacts => ({
  ident: id,
  ldaM: end.distances.lda.valueM,
  lengthM: end.lengthM,
  elevationFt: end.thresholdElevationFt ?? 0,
  slopePercent: end.slopePercent,
  trueBearingDeg: end.trueBearingDeg,
  widthM: end.widthM,
  exits: exits.map(({ name, distanceM, angleDeg }) => ({
    name,
    distanceM,
    ...(angleDeg === null ? {} : { angleDeg }),
  })),
  goAroundAltitudeFt: null,
  macgPercent: end.macgPercent,
  standardEfp: end.efpKind === 'std',
  efpText: end.efpText,
});

/** Metres of a NOTAM, with feet where the request is in feet. */
const withFeet = (text: string, convert: Converter): string =>
  convert.distanceUnit === 'm'
    ? text
    : text.replaceAll(
        /(\d+(?:\.\d+)?) m\b/g,
        (metres, number) => `${metres} (${convert.distanceUp(Number(number))} ft)`,
      );

/** NOTAM in force that change the landing distance and are not in the answer, in its units. */
export const inForceAnswer = (
  { noticesInForce }: LandingRunway,
  { units }: Pick<LandingRequest, 'units'>,
): NonNullable<LandingPerformance['noticesInForce']> => {
  const convert = converter(units);
  return noticesInForce.map(({ runway, notam, text, ldaM, usedLdaM }) => {
    const lda = convert.availableDown(ldaM);
    return {
      runway,
      notam,
      text: withFeet(text, convert),
      lda,
      difference: lda - convert.availableDown(usedLdaM),
    };
  });
};

/** Says which code was used when the given one is a former one. */
export const airportCautions = (given: string, icao: string): CautionAnswer[] =>
  given === icao
    ? []
    : [plainCaution('FORMER_ICAO', `${given} is a former code of ${icao}, whose data were used.`, 'airport')];

/** Assumptions made where airport data are missing, and NOTAM that the calculation does not include. */
export const runwayCautions = (
  { end, notices }: LandingRunway,
  { units }: Pick<LandingRequest, 'units'>,
): CautionAnswer[] => [
  ...(end.thresholdElevationFt === null
    ? [plainCaution('ELEVATION_ASSUMED', 'The runway elevation is unknown; sea level was assumed.', 'runway')]
    : []),
  ...(end.distances.lda.source === 'derived'
    ? [
        plainCaution(
          'LDA_COMPUTED',
          'The landing distance available was computed from runway length and displaced threshold; there is no declared distance.',
          'performance.lda',
        ),
      ]
    : []),
  ...notices.map((text) => plainCaution('NOTAM_NOT_INCLUDED', withFeet(text, converter(units)), 'runway')),
];

export const entitlementsOf = ({ product }: Entitlement): Entitlements => ({
  nnc: product.isNnc,
  mel: product.isMel,
  cdl: product.isCdl,
  notam: product.isNotam,
  balkedLanding: product.isBalkedLanding,
});

interface Picture {
  svg: string;
  png: string;
  jpg: string;
}

/** URLs of the drawings by scene name, in the colours that the ending of the names means; null when there are none. */
export const picturesOf = (
  baseUrl: string,
  publicId: string,
  names: readonly SceneName[],
  ending: '' | '-dark',
): { factored: Picture; unfactored: Picture; dispatch?: Picture } | null => {
  if (names.length === 0) return null;
  const url = (name: SceneName, format: GraphicFormat): string =>
    graphicUrl(baseUrl, publicId, `${name}${ending}`, format);
  const picture = (name: SceneName): Picture => ({
    svg: url(name, 'svg'),
    png: url(name, 'png'),
    jpg: url(name, 'jpg'),
  });
  return {
    factored: picture('factored'),
    unfactored: picture('unfactored'),
    ...(names.includes('dispatch') ? { dispatch: picture('dispatch') } : {}),
  };
};

/** An answer with the URLs of its drawings, which are made from it when they are requested. */
export const withPictures = <T extends { performance?: unknown }>(
  answer: T,
  baseUrl: string,
  { calculationId, kind }: { calculationId: string; kind: string },
): T => {
  const names = sceneNamesOf(kind);
  const graphic = picturesOf(baseUrl, calculationId, names, '');
  const graphicDark = picturesOf(baseUrl, calculationId, names, '-dark');
  if (!graphic || !graphicDark) return answer;
  return { ...answer, performance: { ...(answer.performance as object), graphic }, graphicDark };
};
