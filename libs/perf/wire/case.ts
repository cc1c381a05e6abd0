import { reversersFitted } from '../landing/profile-lookup.ts';
import { ftToM } from '../kernel/units.ts';
import type { LandingCase } from '../landing/types.ts';
import { defaultFlap } from './calc.ts';
import { massKgOf } from './profile-defaults.ts';
import type { LandingInput } from './types.ts';
import type { Converter } from './units.ts';
import { conditionOf } from './situation.ts';
import { failureOf, splitFlap } from './validate.ts';
import { maxAdditiveKt, silentAdditiveKt, weatherOn } from './wind.ts';

/** A validated request and its runway as an engine case in SI. */
export const landingCase = ({ request, profile, runway }: LandingInput, convert: Converter): LandingCase => {
  const { configuration, weight, inopItems, notam, runwayCondition } = request;
  const mode = request.landingMode;
  const weather = weatherOn(request.weather, runway.trueBearingDeg, convert);
  const startM = convert.fromDistance(notam?.shortenStart ?? 0);
  const endM = convert.fromDistance(notam?.shortenEnd ?? 0);
  const availableM = runway.ldaM - startM - endM;
  const inForceM = runway.ldaInForceM ?? Infinity;
  const requestedFlap =
    configuration.flap ?? (profile.family === 'A' ? 'OPTIMUM' : defaultFlap(profile, mode));
  const { flap, autoland: flapAutoland } = splitFlap(requestedFlap);
  const approach = profile.options.approachType.find((entry) => entry.value === configuration.approachType);
  const autoland =
    flapAutoland || (approach?.autoland ?? false) || configuration.landingTechnique === 'AUTO_LDG';
  const reverser = profile.options.reversers.find((entry) => entry.value === configuration.reverser);
  const fitted = reversersFitted(profile);
  const inoperative = reverser?.inoperative === 'all' ? fitted : (reverser?.inoperative ?? 0);
  const wanted = configuration.vrefAdditive ?? silentAdditiveKt(profile, request, weather, convert);
  const additive = Math.min(maxAdditiveKt, profile.landing.vrefAdditiveMax, wanted);
  return {
    mode,
    runway: {
      ldaM: availableM,
      shownLdaM: convert.fromDistance(convert.availableDown(availableM)),
      ldaInForceM:
        inForceM < availableM - 0.05 ? convert.fromDistance(convert.availableDown(inForceM)) : undefined,
      elevationM: ftToM(runway.elevationFt),
      slope: runway.slopePercent / 100,
      notamShorteningM: startM + endM,
      exits: runway.exits.map((exit) => ({ ...exit, distanceM: exit.distanceM - startM })),
      widthM: runway.widthM ?? undefined,
      approachAngleDeg: configuration.approachAngle ?? undefined,
    },
    weather,
    condition: conditionOf(runwayCondition, convert),
    configuration: {
      flap,
      autobrake: mode === 'dispatch' ? 'ALL' : (configuration.autobrake ?? 'ALL'),
      reversersOperating: Math.max(0, fitted - inoperative),
      speedbrake: configuration.speedbrake,
      antiIce: configuration.antiIce,
      acBleed: configuration.acBleed,
      cgPosition: weight.cgPosition ?? undefined,
      cgPercent: weight.cg,
      vrefAdditiveKt: mode === 'dispatch' ? 0 : additive,
      autoland,
      autothrust: configuration.autothrust,
      airDistance: configuration.airDistance,
      missedApproachGradient: (configuration.missedApproachClimbGradient ?? runway.macgPercent) / 100,
      nonNormal: [failureOf(request) ?? []].flat(),
      ...inopItems,
    },
    massKg:
      mode === 'inflight' && weight.landingWeight !== null
        ? massKgOf(profile, weight.landingWeight, convert)
        : undefined,
  };
};
