import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { braked } from './braked.ts';
import { cautionList } from './caution-codes.ts';
import { commonCautions, distanceCautions, unusableCautions } from './cautions.ts';
import { autolandExtraM } from './distance.ts';
import { reversersUsed } from './scene.ts';
import { exceededInflight, gradientsOf } from './exceeded.ts';
import { exitsOf } from './exits.ts';
import { quickTurnBinds } from './limits.ts';
import { refuse } from './problem.ts';
import { rounded } from './rounding.ts';
import { assessedAirTimeS, manualMode, structuralKg, weakestQuality } from './profile-lookup.ts';
import type { Applied, InflightResult, LandingCase, ModeResult } from './types.ts';
import { appliedItem } from './types.ts';

/** Names the family A brake modes whose corrections are added as in the manufacturer's tables. */
const combinedBy = (profile: AircraftProfile, modes: readonly ModeResult[]): Applied[] => {
  if (profile.family !== 'A') return [];
  const added = modes.filter((mode) => mode.combination === 'added').map((mode) => mode.autobrake);
  const value = added.length > 0 ? `added for ${added.join(', ')}` : 'by physics';
  return [appliedItem('Corrections combined', value, '', 'the longer of physics and the sum of the tables')];
};

/** In-flight landing: all brake modes by factored distance, with cautions and corrections. */
export const inflight = (profile: AircraftProfile, landing: LandingCase): InflightResult => {
  const landed = braked(profile, landing);
  const { massKg, prepared, flap, scene, speeds, traced, modes, unusable } = landed;
  if (modes.length === 0) refuse('CANNOT_STOP', { rwycc: prepared.rwycc });
  const out = cautionList();
  unusableCautions(unusable, out);
  const { limits, exceeded } = exceededInflight(profile, landing, landed);
  for (const { code, severity, params } of exceeded) out.add(code, severity, params);
  const { percent: goAroundGradientPercent } = gradientsOf(profile, prepared, flap, massKg);

  const manualEntry = manualMode(profile);
  const manual = modes.find((entry) => entry.autobrake === manualEntry.value) ?? landed.modeOf(manualEntry);
  if (massKg < profile.weight.oew)
    out.add('EXTRAPOLATED', 'advisory', { what: 'weight below the operating empty weight' });
  distanceCautions(profile, landing, prepared, modes, manual, out);
  if (quickTurnBinds(profile) && limits.quickTurnKg !== null && massKg > limits.quickTurnKg) {
    out.add('QUICK_TURN_EXCEEDED', 'advisory', {
      weightKg: massKg,
      limitKg: limits.quickTurnKg,
      waitMinutes: profile.brakes.quickTurn?.waitMinutes ?? 0,
    });
  }
  commonCautions(profile, landing, prepared, scene, speeds, out);
  const { airDistance, factors } = profile;
  const airSource =
    airDistance.timeS >= assessedAirTimeS
      ? 'AC 25-32, from 50 ft'
      : `Table of the maker: ${profile.landing.assumedAirDistanceRef}`;
  return {
    mode: 'inflight',
    flap: flap.code,
    rwycc: prepared.rwycc,
    speeds,
    massKg,
    isOverweight: massKg > structuralKg(profile),
    goAroundGradientPercent,
    goAroundAltitudeM: prepared.goAroundAltitudeM,
    modes,
    unusable,
    exits: exitsOf(landing.runway, prepared.rwycc, traced),
    limits,
    cautions: out.list,
    applied: [
      ...prepared.applied,
      appliedItem('Air time', airDistance.timeS, 's', airSource),
      ...combinedBy(profile, modes),
      appliedItem('Reversers credited', reversersUsed(scene), '', 'configuration'),
      ...(prepared.modifiers.nonNormal.length > 0
        ? [appliedItem('Non-normal factor', factors.nonNormal, '', 'profile factors')]
        : [
            appliedItem(
              'Advisory margin (actual / landing distance)',
              factors.advisoryMargin,
              '',
              'CAT.OP.MPA.303',
            ),
            appliedItem('Regulatory factor', factors.inflight, '', 'profile factors'),
          ]),
      ...(scene.autoland
        ? [appliedItem('Autoland air distance', autolandExtraM(scene), 'm', 'profile airDistance')]
        : []),
      appliedItem('Touchdown ground speed', rounded(traced[0]?.stop.touchdownMps ?? 0, 2), 'm/s', 'kernel'),
    ],
    quality: weakestQuality(profile, ['inflight', 'speeds']).quality,
  };
};
