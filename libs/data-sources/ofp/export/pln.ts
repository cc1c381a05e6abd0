/**
 * PLN for Microsoft's simulators (FSX, 2020, 2024): AceXML by the SDK's "Flight Plan Definitions". Positions are in
 * degrees, minutes and seconds, altitudes in feet.
 */
import { XMLBuilder } from 'fast-xml-parser';
import type { Aerodrome, Flight, Waypoint } from '#domain/ofp/flight.ts';

/** From this level on, high-altitude charts apply. */
const highFt = 18_000;
const runway = /^(\d{1,2})([LCR])?$/;
const sides: Readonly<Record<string, string>> = { L: 'LEFT', C: 'CENTER', R: 'RIGHT' };
const types = { VOR: 'VOR', NDB: 'NDB', FIX: 'Intersection', POSITION: 'User' } as const;

/** `N50° 2' 0.24"`: rounded to hundredths of seconds, so that 59.999 does not become 60. */
const angle = (degrees: number, [positive, negative]: readonly [string, string]): string => {
  const hundredths = Math.round(Math.abs(degrees) * 360_000);
  const whole = Math.floor(hundredths / 360_000);
  const minutes = Math.floor(hundredths / 6_000) % 60;
  const seconds = (hundredths % 6_000) / 100;
  return `${degrees < 0 ? negative : positive}${whole}° ${minutes}' ${seconds.toFixed(2)}"`;
};

const altitude = (feet: number): string =>
  `${feet < 0 ? '-' : '+'}${Math.abs(feet).toFixed(2).padStart(9, '0')}`;

const positionOf = ({ latitude, longitude }: { latitude: number; longitude: number }, feet: number): string =>
  [angle(latitude, ['N', 'S']), angle(longitude, ['E', 'W']), altitude(feet)].join(',');

const aerodromePoint = ({ icao, ...place }: Aerodrome) => ({
  '@id': icao,
  ATCWaypointType: 'Airport',
  WorldPosition: positionOf(place, place.elevationFt),
  ICAO: { ICAOIdent: icao },
});

/** Unnamed points are named by their index, since names must differ within a plan. */
const pointOf = ({ ident, kind, airway, altitudeFt, ...place }: Waypoint, index: number) => ({
  '@id': ident ?? `WP${index + 1}`,
  ATCWaypointType: types[kind],
  WorldPosition: positionOf(place, altitudeFt ?? 0),
  ...(airway === null ? {} : { ATCAirway: airway }),
  ...(ident === null ? {} : { ICAO: { ICAOIdent: ident } }),
});

const runwayOf = ({ runway: ident }: Aerodrome) => {
  const [, number, side] = runway.exec(ident ?? '') ?? [];
  if (number === undefined) return {};
  return {
    RunwayNumberFP: String(Number(number)),
    ...(side === undefined ? {} : { RunwayDesignatorFP: sides[side] }),
  };
};

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  format: true,
  indentBy: '    ',
  suppressEmptyNode: true,
});

export const plnOf = ({ origin, destination, waypoints, cruiseFt, sid, star }: Flight): string => {
  const title = `${origin.icao} to ${destination.icao}`;
  const departure = { ...runwayOf(origin), ...(sid === null ? {} : { DepartureFP: sid }) };
  const arrival = { ...runwayOf(destination), ...(star === null ? {} : { ArrivalFP: star }) };
  const document = {
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    'SimBase.Document': {
      '@Type': 'AceXML',
      '@version': '1,0',
      Descr: 'AceXML Document',
      'FlightPlan.FlightPlan': {
        Title: title,
        FPType: 'IFR',
        RouteType: cruiseFt >= highFt ? 'HighAlt' : 'LowAlt',
        CruisingAlt: String(cruiseFt),
        DepartureID: origin.icao,
        DepartureLLA: positionOf(origin, origin.elevationFt),
        DestinationID: destination.icao,
        DestinationLLA: positionOf(destination, destination.elevationFt),
        Descr: title,
        ...(origin.runway === null ? {} : { DeparturePosition: origin.runway }),
        DepartureName: origin.name ?? origin.icao,
        DestinationName: destination.name ?? destination.icao,
        AppVersion: { AppVersionMajor: '11', AppVersionBuild: '282174' },
        ...(Object.keys(departure).length === 0 ? {} : { DepartureDetails: departure }),
        ...(Object.keys(arrival).length === 0 ? {} : { ArrivalDetails: arrival }),
        ATCWaypoint: [aerodromePoint(origin), ...waypoints.map(pointOf), aerodromePoint(destination)],
      },
    },
  };
  return builder.build(document);
};
