import { drawingOf } from '#domain/performance/graphic.ts';
import type { DrawableCalculation, GraphicName } from '#domain/performance/graphic.ts';
import { landingSvg } from '../graphic/svg.ts';
import { takeoffSheetSvg, takeoffSvg } from '../graphic/takeoff-svg.ts';
import { landingScenes } from './scenes.ts';
import { takeoffScene } from './takeoff-scene.ts';

/** A picture of a stored calculation as SVG; null: it has none of this name. */
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
