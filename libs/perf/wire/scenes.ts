import { dispatchScene, inflightScenes } from '../graphic/landing-scenes.ts';
import type { SceneFrame } from '../graphic/landing-scenes.ts';
import type { LandingScene } from '../graphic/scene.ts';
import type { LandingInput, LandingPerformed } from './types.ts';
import { converter } from './units.ts';

/** Position of the runway within its pavement, metres. */
export interface Pavement {
  displacedM: number;
  lengthM: number;
}

const frameOf = (
  input: LandingInput,
  performed: Extract<LandingPerformed, { kind: 'answer' }>,
  airport: string,
  pavement: Pavement,
): SceneFrame => {
  const { request, profile, runway } = input;
  const convert = converter(request.units);
  const { performance } = performed.answer;
  const { ldaM } = performed.landing.runway;
  const shortenStartM = convert.fromDistance(request.notam?.shortenStart ?? 0);
  const shortenEndM =
    convert.fromDistance(request.notam?.shortenEnd ?? 0) + (runway.storedNotamShorteningM ?? 0);
  const inflight = request.landingMode === 'inflight';
  const { state, depth } = request.runwayCondition;
  const depthText = depth > 0 ? ` ${depth} ${request.units.depth}` : '';
  const { headwind, windDirection, windSpeed } = request.weather;
  const windText =
    headwind === null
      ? `wind ${String(windDirection).padStart(3, '0')}°/${windSpeed} ${request.units.wind}`
      : `${headwind < 0 ? 'tailwind' : 'headwind'} ${Math.abs(headwind)} ${request.units.wind}`;
  return {
    title: `${airport} ${runway.ident} · ${profile.model.variant} · ${performance?.flap ?? ''}`,
    subtitle: [
      inflight ? 'In flight' : 'Dispatch',
      `${state}${depthText}`,
      windText,
      `${performance?.landingWeight ?? ''} ${request.units.weight}`,
      `Vapp ${performance?.vApp ?? ''} kt`,
    ].join(' · '),
    unit: request.units.distance === 'meter' ? 'm' : 'ft',
    runway: {
      ident: runway.ident,
      displacedM: pavement.displacedM,
      shortenStartM,
      shortenEndM,
      ldaM,
      beyondM: Math.max(0, pavement.lengthM - pavement.displacedM - shortenStartM - ldaM - shortenEndM),
    },
    chosen: request.configuration.autobrake === 'ALL' ? null : request.configuration.autobrake,
  };
};

/**
 * The drawings of an answer by name: factored and unfactored in flight; for a family A dispatch `dispatch`, which
 * the other two mirror; none for a family B dispatch or when nothing could be calculated.
 */
export const landingScenes = (
  input: LandingInput,
  performed: Extract<LandingPerformed, { kind: 'answer' }>,
  airport: string,
  pavement: Pavement,
): Record<string, LandingScene> => {
  const { outcome } = performed;
  if (!outcome.ok) return {};
  const frame = frameOf(input, performed, airport, pavement);
  if (outcome.result.mode === 'inflight') return inflightScenes(outcome.result, frame);
  if (input.profile.family === 'B') return {};
  const scene = dispatchScene(outcome.result, frame);
  return { dispatch: scene, factored: scene, unfactored: scene };
};
