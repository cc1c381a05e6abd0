import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { comfortableMarginM } from '#domain/performance/verdict.ts';
import type { Cautions } from './caution-codes.ts';
import type { Prepared } from './prepare.ts';
import { reversersUsed } from './scene.ts';
import type { Scene } from './scene.ts';
import { hasEstimated, weakestQuality, reversersFitted } from './profile-lookup.ts';
import { comparedLdaM, shownVappKt } from './rounding.ts';
import type { LandingCase, ModeResult, Speeds, UnusableMode } from './types.ts';

/** An approach speed this close to the flap limit speed leaves no margin for gusts. */
const placardMarginKt = 5;

/** Brake modes without distances, by reason. */
export const unusableCautions = (modes: readonly UnusableMode[], out: Cautions): void => {
  const labels = (those: readonly UnusableMode[]): string => those.map((mode) => mode.label).join(', ');
  const [stuck, removed] = [
    modes.filter((mode) => mode.reason === 'CANNOT_STOP'),
    modes.filter((mode) => mode.reason !== 'CANNOT_STOP'),
  ];
  if (removed.length > 0) out.add('AUTOBRAKE_UNAVAILABLE', 'warning', { autobrake: labels(removed) });
  if (stuck.length > 0) out.add('MODES_CANNOT_STOP', 'warning', { modes: labels(stuck) });
};

/** Cautions of dispatch and in-flight landings other than limits: NOTAM, reversers, items, data quality. */
export const commonCautions = (
  profile: AircraftProfile,
  landing: LandingCase,
  prepared: Prepared,
  scene: Scene,
  speeds: Speeds,
  out: Cautions,
): void => {
  const { modifiers } = prepared;
  if ((landing.runway.notamShorteningM ?? 0) > 0) {
    out.add('NOTAM_SHORTENED', 'advisory', { distanceM: landing.runway.notamShorteningM ?? 0 });
  }
  const reversers = reversersUsed(scene);
  if (reversers < Math.min(prepared.reversersOperating, reversersFitted(profile))) {
    out.add('REVERSER_CREDIT_NOT_TAKEN', 'advisory', { reversers });
  }
  if (modifiers.vrefAddKt > 0) out.add('VREF_ADD_BY_ITEM', 'advisory', { knots: modifiers.vrefAddKt });
  const { cgPercent } = landing.configuration;
  if (typeof cgPercent === 'number' && profile.options.cgPosition.length === 0)
    out.add('CG_NOT_USED', 'advisory', { percent: cgPercent });
  const marginKt = scene.flap.vfeKt - shownVappKt(speeds);
  if (marginKt >= 0 && marginKt < placardMarginKt) {
    out.add('VFE_NEAR', 'advisory', { vAppKt: shownVappKt(speeds), vfeKt: scene.flap.vfeKt, marginKt });
  }
  for (const entry of modifiers.nonNormal) if (entry.note) out.add('NOTE', 'advisory', { text: entry.note });
  const { estimated } = weakestQuality(profile, [
    'inflight',
    ...(landing.mode === 'dispatch' ? (['dispatch'] as const) : []),
    'speeds',
    'climb',
    'brakes',
    ...(landing.configuration.mel.length + landing.configuration.cdl.length > 0
      ? (['inopItems'] as const)
      : []),
  ]);
  if (hasEstimated(modifiers.nonNormal)) estimated.push('nonNormal');
  if (estimated.length > 0) out.add('ESTIMATED', 'advisory', { blocks: estimated.join(', ') });
};

/** Compares the distances of the modes with the LDA, with the relief for manual braking. */
export const distanceCautions = (
  profile: AircraftProfile,
  landing: LandingCase,
  prepared: Prepared,
  modes: readonly ModeResult[],
  manual: ModeResult,
  out: Cautions,
): void => {
  const ldaM = comparedLdaM(landing);
  const best = modes[0];
  if (!best) return;
  if (best.actualM > ldaM) {
    out.add('UNFACTORED_ABOVE_LDA', 'warning', { distanceM: best.actualM, ldaM });
  } else if (best.factoredM > ldaM) {
    const relief = prepared.rwycc >= 5 && manual.factoredM <= ldaM;
    if (relief) out.add('AUTOBRAKE_RELIEF', 'advisory', { autobrake: best.label });
    else out.add('FACTORED_ABOVE_LDA', 'warning', { distanceM: best.factoredM, ldaM });
  } else if (ldaM - best.factoredM < comfortableMarginM) {
    out.add('SMALL_MARGIN', 'advisory', { marginM: ldaM - best.factoredM });
  }
  const longer = best.factoredM > ldaM ? [] : modes.filter((mode) => mode.factoredM > ldaM);
  if (longer.length > 0) {
    out.add('MODES_ABOVE_LDA', longer.some((mode) => mode.actualM > ldaM) ? 'warning' : 'advisory', {
      modes: longer.map((mode) => mode.label).join(', '),
    });
  }
  if (prepared.modifiers.nonNormal.length > 0) out.add('NON_NORMAL_UNFACTORED', 'advisory', {});
  if (!profile.landing.brakeCooling.isBrakeCoolingActive) return;
  const zones = modes.map((mode) => mode.cooling.groundMin);
  if (zones.includes('CAUTION') && !zones.includes('FUSE MELT')) out.add('BRAKE_CAUTION', 'advisory', {});
};
