import { drawingOf } from '#domain/performance/graphic.ts';
import type { DrawableCalculation, GraphicName } from '#domain/performance/graphic.ts';
import { landingSvg } from './svg/svg.ts';
import { takeoffSheetSvg, takeoffSvg } from './svg/takeoff-svg.ts';
import { landingScenes } from './scenes/landing.ts';
import { takeoffScene } from './scenes/takeoff.ts';

/** A drawing of a stored calculation as SVG; null if it has none with this name. */
export const drawnSvg = (calculation: DrawableCalculation, name: GraphicName): string | null => {
  const { scene: wanted, theme } = drawingOf(name);
  if (calculation.kind === 'takeoff') {
    const { request, result, facts } = calculation;
    const scene = wanted === 'takeoff' ? takeoffScene(request, result, facts) : null;
    return scene && (theme === 'sheet' ? takeoffSheetSvg(scene) : takeoffSvg(scene, theme));
  }
  if (theme === 'sheet') return null;
  const scene = landingScenes(calculation.request, calculation.result, calculation.facts)[wanted];
  return scene ? landingSvg(scene, theme) : null;
};
