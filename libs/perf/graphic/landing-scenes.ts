import type { DispatchResult, ExitResult, InflightResult } from '../landing/types.ts';
import type { LandingScene, SceneRow } from './scene.ts';

/** What the results do not contain: names, units, pavement outside the LDA. */
export interface SceneFrame {
  title: string;
  subtitle: string;
  unit: LandingScene['unit'];
  runway: LandingScene['runway'];
  /** Autobrake value that the pilot requested; null when all were requested. */
  chosen: string | null;
}

/** Exits faster than this are drawn as angled (the usual turn-off speed of 30-degree exits is 50 to 60 kt). */
const highSpeedKt = 40;

const exitsOf = (exits: readonly ExitResult[]): LandingScene['exits'] =>
  exits.map(({ name, distanceM, speedKt }) => ({ name, distanceM, isHighSpeed: speedKt > highSpeedKt }));

const sceneOf = (
  result: InflightResult | DispatchResult,
  frame: SceneFrame,
  touchdownM: number,
  rows: SceneRow[],
): LandingScene => ({
  kind: 'landing',
  title: frame.title,
  subtitle: frame.subtitle,
  unit: frame.unit,
  runway: frame.runway,
  touchdownM,
  rows,
  exits: exitsOf(result.exits),
  notes: [
    ...(result.quality === 'estimated' ? ['Estimated performance data.'] : []),
    'For flight simulation only.',
  ],
});

/** In flight: one bar per brake mode; the factored scene adds the tail up to the factored distance. */
export const inflightScenes = (
  result: InflightResult,
  frame: SceneFrame,
): { factored: LandingScene; unfactored: LandingScene } => {
  const { ldaM } = frame.runway;
  const touchdownM = result.modes[0]?.airDistanceM ?? 0;
  const rows = (withTail: boolean): SceneRow[] =>
    result.modes.map((mode) => ({
      label: mode.label,
      solidM: mode.unfactoredM,
      tailM: withTail && mode.factoredM > mode.unfactoredM ? mode.factoredM : null,
      marginM: ldaM - (withTail ? mode.factoredM : mode.unfactoredM),
      isChosen: frame.chosen === mode.autobrake,
    }));
  return {
    factored: sceneOf(result, frame, touchdownM, rows(true)),
    unfactored: sceneOf(result, frame, touchdownM, rows(false)),
  };
};

/** Dispatch: actual distance, the factored one, and what the rules require. */
export const dispatchScene = (result: DispatchResult, frame: SceneFrame): LandingScene => {
  const { ldaM } = frame.runway;
  const row = (label: string, solidM: number, tailM: number | null, countsM: number): SceneRow => ({
    label,
    solidM,
    tailM,
    marginM: ldaM - countsM,
    isChosen: false,
  });
  return sceneOf(result, frame, result.airDistanceM, [
    row('ACTUAL', result.actualM, null, result.actualM),
    row('FACTORED', result.actualM, result.factoredM, result.factoredM),
    row('REQUIRED', result.actualM, result.requiredM, result.requiredM),
  ]);
};
