import type { LandingScene } from '#perf/graphic/scene.ts';

/** A landing scene as produced by the engine: five brake modes, exits, a NOTAM that shortens the runway. */
export const sampleScene: LandingScene = {
  kind: 'landing',
  title: 'EGLL 27L',
  subtitle: 'In flight, wet, flap 30',
  unit: 'm',
  runway: { ident: '27L', displacedM: 120, shortenStartM: 0, shortenEndM: 200, ldaM: 3_450, beyondM: 60 },
  touchdownM: 460,
  rows: ['MAX MANUAL', 'AUTOBRAKE MAX', 'AUTOBRAKE 3', 'AUTOBRAKE 2', 'AUTOBRAKE 1'].map((label, i) => ({
    label,
    solidM: 1_300 + 330 * i,
    tailM: 1_495 + 380 * i,
    marginM: 3_450 - 1_495 - 380 * i,
    isChosen: i === 2,
  })),
  exits: [1_200, 1_650, 2_100, 2_700].map((distanceM, i) => ({
    name: `N${i + 1}`,
    distanceM,
    isHighSpeed: i > 1,
  })),
  notes: ['For flight simulation only.'],
};
