import type { Scene } from './distance.ts';

/** Effective reversers: those selected, less failed ones and those of failed engines. */
export const reversersUsed = (scene: Scene): number => {
  const { profile, modifiers } = scene;
  const fitted = profile.thrust.reverse.count ?? profile.engineCount;
  const working = fitted - Math.max(modifiers.reversersInop, Math.min(modifiers.enginesOut, fitted));
  return Math.max(0, Math.min(scene.reversersOperating, working));
};
