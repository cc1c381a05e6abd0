import type { AircraftProfile, AutobrakeProfile } from '#domain/aircraft/profile.ts';
import type { Trace } from '../kernel/ground-roll.ts';
import { cautionList, commonCautions, distanceCautions, gradientCautions } from './cautions.ts';
import { reversersUsed, stopDistance } from './distance.ts';
import type { TracedMode } from './exits.ts';
import { exitsOf } from './exits.ts';
import { goAroundGradient } from './gradient.ts';
import { limitsOf, quickTurnBinds } from './limits.ts';
import { prepare, sceneOf } from './prepare.ts';
import { CalculationError } from './problem.ts';
import { flapUsed, modeResult, modesOf, selectedFlap } from './modes.ts';
import { flapOf, manualMode, weakestQuality } from './profile-lookup.ts';
import { speedsOf, vrefFor } from './speeds.ts';
import type { InflightResult, LandingCase } from './types.ts';

/** Empty weights differ by tail, so slightly less than the profile's is reported, not refused. */
const leastOewShare = 0.85;

const massOf = (profile: AircraftProfile, landing: LandingCase): number => {
  const { massKg } = landing;
  const { oew, mstow } = profile.weight;
  if (massKg === undefined)
    throw new CalculationError('WEIGHT_REQUIRED', 'In flight a landing weight is required.');
  if (!(massKg >= oew * leastOewShare)) {
    throw new CalculationError(
      'WEIGHT_BELOW_OEW',
      `Landing weight ${Math.round(massKg)} kg is below the operating empty weight ${oew} kg.`,
      { weightKg: massKg, oewKg: oew },
    );
  }
  if (massKg > mstow) {
    throw new CalculationError(
      'WEIGHT_ABOVE_MTOW',
      `Landing weight ${Math.round(massKg)} kg is above the maximum takeoff weight ${mstow} kg.`,
      { weightKg: massKg, mstowKg: mstow },
    );
  }
  return massKg;
};

/**
 * Landing in flight: every brake mode of the case, sorted by factored distance, with cautions and corrections.
 */
export const inflight = (profile: AircraftProfile, landing: LandingCase): InflightResult => {
  const massKg = massOf(profile, landing);
  const prepared = prepare(profile, landing);
  const flap = flapUsed(profile, prepared, selectedFlap(profile, landing, prepared, massKg));
  const scene = sceneOf(profile, landing, prepared, flap);
  const vRefKt = vrefFor(profile, flap, massKg, prepared.modifiers, prepared.cgAddKt);
  const speeds = speedsOf(profile, landing, flap, vRefKt);
  const out = cautionList();
  const { modes, removed } = modesOf(profile, landing, prepared);
  if (removed.length > 0) out.add('AUTOBRAKE_UNAVAILABLE', 'warning', { autobrake: removed.join(', ') });
  const exits = landing.runway.exits ?? [];
  const traceOf = (mode: AutobrakeProfile): TracedMode => {
    const trace: Trace = { speedMps: [], distanceM: [] };
    const stop = stopDistance(scene, massKg, speeds.vAppKt, mode, exits.length > 0 ? trace : undefined);
    return { mode, stop, trace };
  };
  const traced = modes.map(traceOf);
  if (traced.every((entry) => !Number.isFinite(entry.stop.actualM))) {
    throw new CalculationError('CANNOT_STOP', 'The aircraft does not stop on this surface and slope.', {
      rwycc: prepared.rwycc,
    });
  }
  const results = traced
    .map((entry) => modeResult(scene, landing, massKg, speeds, entry))
    .filter((result) => Number.isFinite(result.actualM))
    .toSorted((a, b) => a.factoredM - b.factoredM || a.order - b.order);

  const correction = prepared.gradientCorrectionPercent;
  const climbFlap = flap.goAround ? flap : flapOf(profile, profile.landing.vrefFlapRef);
  const goAroundGradientPercent = goAroundGradient(
    profile,
    climbFlap,
    massKg,
    prepared.goAroundAir,
    correction,
  );
  const atField = goAroundGradient(profile, climbFlap, massKg, prepared.air, correction);
  const limits = limitsOf(profile, landing, prepared, flap, null, speeds.additiveKt);
  const isOverweight = massKg > profile.weight.mslw;

  const manualEntry = manualMode(profile);
  const manual = results.some((entry) => entry.autobrake === manualEntry.value)
    ? results.find((entry) => entry.autobrake === manualEntry.value)
    : modeResult(scene, landing, massKg, speeds, traceOf(manualEntry));
  if (isOverweight) {
    out.add('OVERWEIGHT', 'warning', { weightKg: Math.round(massKg), limitKg: profile.weight.mslw });
  }
  if (massKg < profile.weight.oew)
    out.add('EXTRAPOLATED', 'advisory', { what: 'weight below the operating empty weight' });
  distanceCautions(profile, landing, prepared, results, manual, out);
  gradientCautions(profile, landing, goAroundGradientPercent, atField, out);
  if (limits.tireKg === null || massKg > limits.tireKg) {
    out.add('TIRE_SPEED', 'warning', { ratingKt: profile.limits.tireSpeedKt });
  }
  if (quickTurnBinds(profile) && limits.quickTurnKg !== null && massKg > limits.quickTurnKg) {
    out.add('QUICK_TURN_EXCEEDED', 'advisory', {
      limitKg: Math.round(limits.quickTurnKg),
      waitMinutes: profile.brakes.quickTurn?.waitMinutes ?? 0,
    });
  }
  commonCautions(profile, landing, prepared, scene, speeds, out);
  return {
    mode: 'inflight',
    flap: flap.code,
    rwycc: prepared.rwycc,
    speeds,
    massKg,
    isOverweight,
    structuralKg: profile.weight.mslw,
    goAroundGradientPercent,
    goAroundAltitudeM: prepared.goAroundAltitudeM,
    modes: results,
    exits: exitsOf(exits, landing.runway.ldaM, traced),
    nonNormal: landing.configuration.nonNormal,
    limits,
    cautions: out.list,
    applied: [
      ...prepared.applied,
      {
        name: 'Air time',
        value: profile.airDistance.timeS,
        unit: 's',
        source: 'AC 25-32 / profile airDistance',
      },
      { name: 'Reversers credited', value: reversersUsed(scene), unit: '', source: 'configuration' },
      ...(prepared.modifiers.nonNormal.length > 0
        ? [
            {
              name: 'Non-normal factor',
              value: profile.factors.nonNormal,
              unit: '',
              source: 'profile factors',
            },
          ]
        : [
            {
              name: 'Advisory margin (actual / landing distance)',
              value: profile.factors.advisoryMargin,
              unit: '',
              source: 'CAT.OP.MPA.303',
            },
            {
              name: 'Regulatory factor',
              value: profile.factors.inflight,
              unit: '',
              source: 'profile factors',
            },
          ]),
      ...(scene.autoland
        ? [
            {
              name: 'Autoland air distance',
              value:
                profile.airDistance.autolandExtraM[flap.code] ??
                profile.airDistance.autolandExtraM['default'] ??
                0,
              unit: 'm',
              source: 'profile airDistance',
            },
          ]
        : []),
      {
        name: 'Touchdown ground speed',
        value: Number((traced[0]?.stop.touchdownMps ?? 0).toFixed(2)),
        unit: 'm/s',
        source: 'kernel',
      },
    ],
    quality: weakestQuality(profile, ['inflight', 'speeds']).quality,
  };
};
