import type { LandingScene } from '#drawing/svg/scene.ts';

/** A landing scene as produced by the engine: five brake modes, exits, a NOTAM that shortens the runway. */
export const sampleScene: LandingScene = {
  title: 'EGLL 27L · A320-251N · CONF FULL',
  subtitle: 'In flight',
  facts: [
    { name: 'Landing', value: 'in flight · 62,000 kg' },
    { name: 'Runway', value: 'Good · RWYCC 5' },
  ],
  unit: 'm',
  runway: { ident: '27L', beforeM: 120, closed: [{ fromM: 3_450, toM: 3_650 }], ldaM: 3_450, beyondM: 260 },
  touchdownM: 460,
  rows: ['MAX MANUAL', 'AUTOBRAKE MAX', 'AUTOBRAKE 3', 'AUTOBRAKE 2', 'AUTOBRAKE 1'].map((label, i) => ({
    label,
    solidM: 1_300 + 330 * i,
    tailM: 1_495 + 380 * i,
    marginM: 3_450 - 1_495 - 380 * i,
    isChosen: i === 2,
    verdict: 'FITS',
    bandM: [1_465 + 372 * i, 1_525 + 388 * i],
  })),
  missing: [],
  exits: [1_200, 1_650, 2_100, 2_700].map((distanceM, i) => ({
    name: `N${i + 1}`,
    distanceM,
    isHighSpeed: i > 1,
  })),
  tables: null,
  cautions: [],
  notes: ['For flight simulation only.'],
};
