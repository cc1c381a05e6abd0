import { isOtherDistance, saidBy, underId } from '../notam/airport.ts';
import type { RunwaysUnderNotam } from '../notam/airport.ts';
import { exitClass } from '../exits/types.ts';
import { decimalYear, isModelCurrent, magneticVariation, wmm2025 } from '../geomagnetism/wmm.ts';
import { wireTime } from '../time.ts';
import { longestRunwayM } from './build.ts';
import { wrap360 } from './geometry.ts';
import type { AirportAnswer, RunwayAnswer } from './schema.ts';
import type { RunwayExit, RunwayIntersection, ServedAirport, ServedRunwayEnd } from './served.ts';
import type { DeclaredDistance } from './types.ts';
import { round } from './units.ts';
import { formatVariant } from './variant.ts';

interface AirportAnswerInput {
  airport: ServedAirport;
  exits: readonly RunwayExit[];
  intersections: readonly RunwayIntersection[];
  notams: RunwaysUnderNotam;
  /** The caller may use NOTAM in calculations. */
  hasNotams: boolean;
  now: Date;
}

const osmCopyright =
  'Airports: OurAirports (public domain) and FAA. Exits: (c) OpenStreetMap contributors, ODbL.';

const wireDistance = ({ valueM, source }: DeclaredDistance) => ({ value: round(valueM, 1), source });

/** Magnetic heading, whole degrees, 360 for north. */
const magneticHeading = (end: ServedRunwayEnd, variationDeg: number): number =>
  Math.round(wrap360(end.trueBearingDeg - variationDeg)) || 360;

/** Distances available from an intersection: the part behind it is deducted from all three. */
export const intersectionDistances = (
  end: Pick<ServedRunwayEnd, 'distances'>,
  entryM: number,
): { toraM: number; todaM: number; asdaM: number } => {
  const left = (distance: DeclaredDistance): number => round(Math.max(0, distance.valueM - entryM), 1);
  const { tora, toda, asda } = end.distances;
  return { toraM: left(tora), todaM: left(toda), asdaM: left(asda) };
};

/** Null if NOTAM leave the published value. */
const changed = (underM: number, publishedM: number): number | null =>
  isOtherDistance(underM, publishedM) ? underM : null;

const runwayAnswer = (
  end: ServedRunwayEnd,
  input: AirportAnswerInput,
  variationDeg: number,
): RunwayAnswer => {
  const ofEnd = <T extends { ident: string }>(list: readonly T[]): T[] =>
    list.filter((item) => item.ident === end.ident);
  const { thresholdLatitudeDeg: latitude, thresholdLongitudeDeg: longitude } = end;
  return {
    ident: end.ident,
    publishedIdent: end.publishedIdent,
    reciprocal: end.reciprocalIdent,
    heading: magneticHeading(end, variationDeg),
    trueBearing: end.trueBearingDeg,
    length: end.lengthM,
    width: end.widthM,
    displacedThreshold: end.displacedThresholdM,
    tora: wireDistance(end.distances.tora),
    toda: wireDistance(end.distances.toda),
    asda: wireDistance(end.distances.asda),
    lda: wireDistance(end.distances.lda),
    distancesAsOf: end.distances.asOf,
    slope: end.slopePercent,
    slopeSource: end.slopeSource,
    elevation: end.thresholdElevationFt,
    threshold: latitude === null || longitude === null ? null : { latitude, longitude },
    surface: end.surface,
    isLighted: end.isLighted,
    isClosed: end.isClosed,
    efp: {
      isStandard: end.efpKind === 'std',
      text: end.efpText,
      accelerationAltitude: end.efpAccelerationAltitudeFt,
      turn: end.efpTurn,
    },
    missedApproachClimbGradient: end.macgPercent,
    intersections: ofEnd(input.intersections).map(({ name, source, entryM }) => {
      const { toraM, todaM, asdaM } = intersectionDistances(end, entryM);
      const id = formatVariant({ ident: end.ident, intersection: name, notams: [] });
      return { id, name, tora: toraM, toda: todaM, asda: asdaM, source };
    }),
    exits: ofEnd(input.exits).map(({ name, side, distanceM, angleDeg, source }) => ({
      name,
      side,
      distance: distanceM,
      angle: angleDeg,
      class: exitClass(angleDeg),
      source,
    })),
    notams: (input.notams.get(end.ident)?.variants ?? []).map((under) => ({
      id: input.hasNotams ? underId(end.ident, under) : null,
      missingFeature: input.hasNotams ? null : ('notam' as const),
      ...saidBy(under),
      isClosed: under.closedFor.landing,
      tora: changed(under.toraM, end.distances.tora.valueM),
      toda: changed(under.todaM, end.distances.toda.valueM),
      asda: changed(under.asdaM, end.distances.asda.valueM),
      lda: changed(under.ldaM, end.distances.lda.valueM),
      displacedThreshold: changed(under.displacedM, end.displacedThresholdM),
    })),
    flags: end.flags,
  };
};

/** The stored variation, or before its feed has run, that of the built-in model. */
const variationOf = (airport: ServedAirport): number =>
  airport.magneticVariationDeg ?? round(magneticVariation(airport, decimalYear(airport.updatedAt)), 2);

/** True if the variation was computed without a valid model, or its model has expired. */
const isVariationOutdated = ({ magneticModel }: ServedAirport, now: Date): boolean =>
  !isModelCurrent(magneticModel ?? wmm2025.name, now);

/** The answer of the `airport` query. */
export const airportAnswer = (input: AirportAnswerInput): AirportAnswer => {
  const { airport } = input;
  const variationDeg = variationOf(airport);
  return {
    icao: airport.icao,
    formerIcaos: airport.formerIcaos,
    iata: airport.iata,
    name: airport.name,
    type: airport.type,
    latitude: airport.latitudeDeg,
    longitude: airport.longitudeDeg,
    elevation: airport.elevationFt,
    country: airport.country,
    municipality: airport.municipality,
    timeZone: airport.timeZone,
    magneticVariation: variationDeg,
    isMagneticVariationOutdated: isVariationOutdated(airport, input.now),
    longestRunway: longestRunwayM(airport.ends),
    runways: airport.ends.map((end) => runwayAnswer(end, input, variationDeg)),
    source: airport.source,
    updatedAt: wireTime(airport.updatedAt),
    copyright: osmCopyright,
  };
};
