import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { mpsToKt } from '../kernel/units.ts';
import type { Prepared } from './prepare.ts';
import { reversersUsed } from './distance.ts';
import type { Scene } from './distance.ts';
import { weakestQuality } from './profile-lookup.ts';
import { comparedLdaM, shownVappKt } from './rounding.ts';
import type { Caution, LandingCase, ModeResult, Severity, Speeds, UnusableMode } from './types.ts';

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
export const comfortableMarginM = 300;

/** An approach speed this close to the limit speed of the flap leaves no room for gusts. */
const placardMarginKt = 5;
/** Glide paths above this are not standard; from the second on they are steep approaches (CS-25 Appendix Q). */
const standardAngleDeg = 3.5;
const steepAngleDeg = 4.5;

/** Knots that limits are compared with: gusts count, but not those that reduce a tailwind. */
export const limitingWind = ({
  weather: { headwindMps, crosswindMps = 0, gust },
}: LandingCase): { headwindKt: number; crosswindKt: number } => {
  const along = [headwindMps, gust?.headwindMps ?? headwindMps];
  const alongMps = headwindMps < 0 ? Math.min(...along) : Math.max(...along);
  return {
    headwindKt: mpsToKt(alongMps),
    crosswindKt: mpsToKt(Math.max(crosswindMps, gust?.crosswindMps ?? 0)),
  };
};

/** Wind against the limits of the profile, with the rule that may raise a crosswind limit. */
const windCautions = (
  profile: AircraftProfile,
  landing: LandingCase,
  prepared: Prepared,
  out: Cautions,
): void => {
  const { windLimit } = profile.landing;
  const { headwindKt, crosswindKt: exactCrosswindKt } = limitingWind(landing);
  if (-headwindKt > windLimit.tailwind + 0.05) {
    out.add('TAILWIND_LIMIT', 'warning', {
      tailwindKt: Math.round(-headwindKt),
      limitKt: windLimit.tailwind,
    });
  }
  if (headwindKt > windLimit.headwind + 0.05) {
    out.add('HEADWIND_LIMIT', 'warning', { headwindKt: Math.round(headwindKt), limitKt: windLimit.headwind });
  }
  const crosswindKt = Math.round(exactCrosswindKt);
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

/** The runway and its approach against what the type is made for. */
const runwayCautions = (profile: AircraftProfile, { runway }: LandingCase, out: Cautions): void => {
  const { runwayWidthMinM } = profile.limits;
  if (runway.widthM !== undefined && runway.widthM < runwayWidthMinM) {
    out.add('RUNWAY_NARROW', 'warning', { lengthM: runway.widthM, minimumM: runwayWidthMinM });
  }
  const angleDeg = runway.approachAngleDeg ?? 0;
  if (angleDeg > standardAngleDeg) {
    const steep = angleDeg >= steepAngleDeg;
    out.add('STEEP_APPROACH', steep ? 'warning' : 'advisory', {
      angleDeg,
      consequence: steep
        ? 'the aircraft, the crew and the operator need an approval for steep approaches'
        : 'a higher rate of descent and a longer flare are to be expected',
    });
  }
};

/** Brake modes without distances, by what prevents them. */
export const unusableCautions = (modes: readonly UnusableMode[], out: Cautions): void => {
  const labels = (those: readonly UnusableMode[]): string => those.map((mode) => mode.label).join(', ');
  const [stuck, removed] = [
    modes.filter((mode) => mode.reason === 'CANNOT_STOP'),
    modes.filter((mode) => mode.reason !== 'CANNOT_STOP'),
  ];
  if (removed.length > 0) out.add('AUTOBRAKE_UNAVAILABLE', 'warning', { autobrake: labels(removed) });
  if (stuck.length > 0) out.add('MODES_CANNOT_STOP', 'warning', { modes: labels(stuck) });
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
    out.add('NOTAM_SHORTENED', 'advisory', { distanceM: landing.runway.notamShorteningM ?? 0 });
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
  const vAppKt = shownVappKt(speeds);
  const { vfeKt } = scene.flap;
  if (vAppKt > vfeKt) out.add('VFE_MARGIN', 'warning', { vAppKt, vfeKt });
  else if (vAppKt > vfeKt - placardMarginKt) {
    out.add('VFE_NEAR', 'advisory', { vAppKt, vfeKt, marginKt: vfeKt - vAppKt });
  }
  runwayCautions(profile, landing, out);
  for (const entry of modifiers.nonNormal) if (entry.note) out.add('NOTE', 'advisory', { text: entry.note });
  const { estimated } = weakestQuality(profile, [
    'inflight',
    ...(landing.mode === 'dispatch' ? (['dispatch'] as const) : []),
    'speeds',
    'climb',
    'brakes',
    ...(modifiers.nonNormal.length > 0 ? (['nonNormal'] as const) : []),
    ...(landing.configuration.mel.length + landing.configuration.cdl.length > 0
      ? (['inopItems'] as const)
      : []),
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
  const ldaM = comparedLdaM(landing);
  const best = modes[0];
  if (!best) return;
  if (best.unfactoredAboveLda) {
    out.add('UNFACTORED_ABOVE_LDA', 'warning', { distanceM: best.unfactoredM, ldaM });
  } else if (best.factoredAboveLda) {
    const relief = prepared.rwycc >= 5 && manual && !manual.factoredAboveLda;
    if (relief) out.add('AUTOBRAKE_RELIEF', 'advisory', { autobrake: best.label });
    else out.add('FACTORED_ABOVE_LDA', 'warning', { distanceM: best.factoredM, ldaM });
  } else if (ldaM - best.factoredM < comfortableMarginM) {
    out.add('SMALL_MARGIN', 'advisory', { marginM: ldaM - best.factoredM });
  }
  const longer = best.factoredAboveLda ? [] : modes.filter((mode) => mode.factoredAboveLda);
  if (longer.length > 0) {
    out.add('MODES_ABOVE_LDA', longer.some((mode) => mode.unfactoredAboveLda) ? 'warning' : 'advisory', {
      modes: longer.map((mode) => mode.label).join(', '),
    });
  }
  if (prepared.modifiers.nonNormal.length > 0) out.add('NON_NORMAL_UNFACTORED', 'advisory');
  if (!profile.landing.brakeCooling.isBrakeCoolingActive) return;
  if (modes.some((mode) => mode.cooling?.groundMin === 'FUSE MELT')) out.add('FUSE_MELT', 'warning');
  else if (modes.some((mode) => mode.cooling?.groundMin === 'CAUTION')) out.add('BRAKE_CAUTION', 'advisory');
};
