import type { TakeoffRequest } from '#domain/performance/takeoff-request.ts';
import { ftToM } from '../kernel/units.ts';
import type { TakeoffCase } from '../takeoff/types.ts';
import { massKgOf } from './profile-defaults.ts';
import type { TakeoffInput, TakeoffRunwayFacts } from './types.ts';
import { conditionOf } from './situation.ts';
import type { Converter } from './units.ts';
import { weatherOn } from './wind.ts';

/** Runway data with the request's overrides, and its NOTAM shortening (m). */
export const runwayUsed = (
  { request, runway }: Pick<TakeoffInput, 'request' | 'runway'>,
  convert: Converter,
): TakeoffRunwayFacts & { shortenedM: number } => {
  const own = typeof request.runway === 'object' ? request.runway : { ident: request.runway };
  const given = { ...own } as Exclude<TakeoffRequest['runway'], string>;
  const { notam, intersection } = request;
  const shortenedM = convert.fromDistance((notam?.shortenStart ?? 0) + (notam?.shortenEnd ?? 0));
  const lostM = shortenedM + (typeof intersection === 'number' ? convert.fromDistance(intersection) : 0);
  const metres = (value: number | undefined): number | undefined =>
    value === undefined ? undefined : convert.fromDistance(value);
  const toraM = metres(given.tora);
  const crossedM = lostM - shortenedM;
  const { inForce = null } = runway;
  const runM = (toraM ?? runway.toraM) - lostM;
  // Stopway and clearway beyond a closed end are lost.
  const reachM = (notam?.shortenEnd ?? 0) > 0 ? runM : Infinity;
  return {
    ...runway,
    inForce: inForce && {
      toraM: inForce.toraM - crossedM,
      todaM: inForce.todaM - crossedM,
      asdaM: inForce.asdaM - crossedM,
    },
    toraM: runM,
    todaM: Math.min(reachM, (metres(given.toda) ?? toraM ?? runway.todaM) - lostM),
    asdaM: Math.min(reachM, (metres(given.asda) ?? toraM ?? runway.asdaM) - lostM),
    slopePercent: given.slope ?? runway.slopePercent,
    elevationM:
      given.elevation === undefined
        ? runway.elevationM
        : request.units.altitude === 'meter'
          ? given.elevation
          : ftToM(given.elevation),
    shortenedM,
  };
};

/** A validated request and its runway as an engine case in SI. */
export const takeoffCaseOf = (input: TakeoffInput, convert: Converter): TakeoffCase => {
  const { request, profile } = input;
  const { configuration, weight, inopItems, runwayCondition } = request;
  const runway = runwayUsed(input, convert);
  const bleed = profile.options.acBleed.find(({ value }) => value === configuration.acBleed);
  const assumed = configuration.assumedTemperature;
  const metres = (value: number): number => (request.units.altitude === 'meter' ? value : ftToM(value));
  const along = ({ distance, from }: (typeof request)['departureTurns' | 'obstacles'][number]) =>
    convert.fromDistance(distance) + (from === 'RUNWAY_END' ? runway.toraM : 0);
  const accelerationFt = runway.efpAccelerationAltitudeFt;
  return {
    runway: {
      toraM: runway.toraM,
      toraInForceM: runway.inForce?.toraM,
      todaM: runway.todaM,
      asdaM: runway.asdaM,
      elevationM: runway.elevationM,
      slope: runway.slopePercent / 100,
      lineupAngle: request.lineupAngle,
      widthM: runway.widthM ?? undefined,
    },
    weather: weatherOn(request.weather, runway.trueBearingDeg, convert),
    condition: conditionOf(runwayCondition, convert),
    configuration: {
      flap: configuration.flap,
      rating: configuration.rating,
      packsOff: bleed?.value === 'OFF',
      antiIce: configuration.antiIce ?? 'OFF',
      fullThrust: configuration.windshear,
      assumedTemperature: assumed === 'AUTO' ? undefined : assumed,
      improvedClimb: configuration.improvedClimb === 'ON',
      ...inopItems,
    },
    obstacles: request.obstacles.map((obstacle) => ({
      distanceM: along(obstacle),
      heightM: metres(obstacle.height),
    })),
    turns: request.departureTurns.map((turn) => ({
      distanceM: along(turn),
      headingChangeDeg: turn.headingChange,
      bankDeg: turn.bank,
    })),
    accelerationHeightM:
      accelerationFt === null ? undefined : Math.max(0, ftToM(accelerationFt) - runway.elevationM),
    massKg: weight.takeoffWeight === null ? undefined : massKgOf(profile, weight.takeoffWeight, convert),
    cgPercent: weight.cg ?? undefined,
  };
};
