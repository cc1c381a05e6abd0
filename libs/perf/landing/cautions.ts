import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { mpsToKt, mToFt } from '../kernel/units.ts';
import type { Prepared } from './prepare.ts';
import { reversersUsed } from './distance.ts';
import type { Scene } from './distance.ts';
import { weakestQuality } from './profile-lookup.ts';
import type { Caution, LandingCase, ModeResult, Severity, Speeds } from './types.ts';

/** Collects cautions; each code at most once. */
export const cautionList = (): {
  list: Caution[];
  add: (code: Caution['code'], severity: Severity, params?: Caution['params']) => void;
} => {
  const list: Caution[] = [];
  return {
    list,
    add: (code, severity, params = {}) => {
      if (code === 'NOTE' || !list.some((entry) => entry.code === code))
        list.push({ code, severity, params });
    },
  };
};

export type Cautions = ReturnType<typeof cautionList>;

/** Smallest margin without a caution. */
const comfortableMarginM = 300;

/** Wind against the limits of the profile, with the rule that may raise a crosswind limit. */
const windCautions = (
  profile: AircraftProfile,
  landing: LandingCase,
  prepared: Prepared,
  out: Cautions,
): void => {
  const { windLimit } = profile.landing;
  const headwindKt = mpsToKt(landing.weather.headwindMps);
  if (-headwindKt > windLimit.tailwind + 0.05) {
    out.add('TAILWIND_LIMIT', 'warning', {
      tailwindKt: Math.round(-headwindKt),
      limitKt: windLimit.tailwind,
    });
  }
  if (headwindKt > windLimit.headwind + 0.05) {
    out.add('HEADWIND_LIMIT', 'warning', { headwindKt: Math.round(headwindKt), limitKt: windLimit.headwind });
  }
  const crosswindKt = Math.round(mpsToKt(landing.weather.crosswindMps ?? 0));
  const row = windLimit.crosswindLimitsPerRunwayConditions.find((entry) =>
    entry.rwycc.includes(prepared.rwycc),
  );
  if (!row || crosswindKt <= row.windLimit) return;
  const raised = row.increaseableWindLimit
    ? (row.increaseableWindLimitValue ?? row.windLimit)
    : row.windLimit;
  const wide = (landing.runway.widthM ?? 0) >= (row.increaseableWindLimitRunwayWidth ?? 0);
  const params = {
    crosswindKt,
    limitKt: row.windLimit,
    raisedLimitKt: raised,
    rule: row.increaseableWindLimitText ?? '',
  };
  if (crosswindKt <= raised && wide) out.add('CROSSWIND_LIMIT_INCREASED', 'advisory', params);
  else out.add('CROSSWIND_LIMIT', 'warning', params);
};

/** Cautions of both modes: wind, NOTAM, reversers, items, quality of the data. */
export const commonCautions = (
  profile: AircraftProfile,
  landing: LandingCase,
  prepared: Prepared,
  scene: Scene,
  speeds: Speeds,
  out: Cautions,
): void => {
  const { modifiers } = prepared;
  windCautions(profile, landing, prepared, out);
  if ((landing.runway.notamShorteningM ?? 0) > 0) {
    out.add('NOTAM_SHORTENED', 'advisory', { distanceM: Math.round(landing.runway.notamShorteningM ?? 0) });
  }
  const reversers = reversersUsed(scene);
  if (
    reversers < Math.min(prepared.reversersOperating, profile.thrust.reverse.count ?? profile.engineCount)
  ) {
    out.add('REVERSER_CREDIT_NOT_TAKEN', 'advisory', { reversers });
  }
  if (modifiers.vrefAddKt > 0) out.add('VREF_ADD_BY_ITEM', 'advisory', { knots: modifiers.vrefAddKt });
  if (landing.configuration.autoland && (modifiers.autolandInop || !scene.flap.autolandAvailable)) {
    out.add('AUTOLAND_UNAVAILABLE', 'warning', { flap: scene.flap.code });
  }
  if (speeds.vAppKt > scene.flap.vfeKt) {
    out.add('VFE_MARGIN', 'warning', { vAppKt: Math.ceil(speeds.vAppKt), vfeKt: scene.flap.vfeKt });
  }
  for (const entry of modifiers.nonNormal) if (entry.note) out.add('NOTE', 'advisory', { text: entry.note });
  const { estimated } = weakestQuality(profile, [
    'inflight',
    ...(landing.mode === 'dispatch' ? (['dispatch'] as const) : []),
    'speeds',
    'climb',
    'brakes',
  ]);
  if (estimated.length > 0) out.add('ESTIMATED', 'advisory', { blocks: estimated.join(', ') });
};

/** Gradient against the certification minimum and the one the user requires (percent). */
export const gradientCautions = (
  profile: AircraftProfile,
  landing: LandingCase,
  gradientPercent: number,
  atFieldPercent: number,
  out: Cautions,
): void => {
  const wanted = landing.configuration.missedApproachGradient * 100;
  if (atFieldPercent < profile.climb.approachPercent - 1e-6) {
    out.add('GRADIENT_BELOW_MINIMUM', 'warning', {
      percent: Number(atFieldPercent.toFixed(2)),
      minimum: profile.climb.approachPercent,
    });
  }
  if (gradientPercent < wanted - 1e-6) {
    out.add('GRADIENT_BELOW_REQUESTED', 'advisory', {
      percent: Number(gradientPercent.toFixed(2)),
      requested: Number(wanted.toFixed(2)),
    });
  }
};

/** Distances of the modes against the landing distance available, with the relief for manual braking. */
export const distanceCautions = (
  profile: AircraftProfile,
  landing: LandingCase,
  prepared: Prepared,
  modes: readonly ModeResult[],
  manual: ModeResult | undefined,
  out: Cautions,
): void => {
  const { ldaM } = landing.runway;
  const best = modes[0];
  if (!best) return;
  const lda = Math.round(ldaM);
  if (best.unfactoredAboveLda) {
    out.add('UNFACTORED_ABOVE_LDA', 'warning', { distanceM: Math.round(best.unfactoredM), ldaM: lda });
  } else if (best.factoredAboveLda) {
    const relief = prepared.rwycc >= 5 && manual && !manual.factoredAboveLda;
    if (relief) out.add('AUTOBRAKE_RELIEF', 'advisory', { autobrake: best.label });
    else out.add('FACTORED_ABOVE_LDA', 'warning', { distanceM: Math.round(best.factoredM), ldaM: lda });
  } else if (ldaM - best.factoredM < comfortableMarginM) {
    out.add('SMALL_MARGIN', 'advisory', {
      marginM: Math.round(ldaM - best.factoredM),
      marginFt: Math.round(mToFt(ldaM - best.factoredM)),
    });
  }
  if (prepared.modifiers.nonNormal.length > 0) out.add('NON_NORMAL_UNFACTORED', 'advisory');
  if (!profile.landing.brakeCooling.isBrakeCoolingActive) return;
  if (modes.some((mode) => mode.cooling?.groundMin === 'FUSE MELT')) out.add('FUSE_MELT', 'warning');
  else if (modes.some((mode) => mode.cooling?.groundMin === 'CAUTION')) out.add('BRAKE_CAUTION', 'advisory');
};
