import { mToFt } from '../kernel/units.ts';
import type { Applied } from '../landing/types.ts';
import { massOn } from './ground.ts';
import type { Situation } from './ground.ts';
import type { Shared } from './situation.ts';
import { standardAccelerationM } from './surface.ts';
import type { TakeoffCase } from './types.ts';
import { appliedItem } from '../landing/types.ts';

const creditedWind = 'slope and wind, 50 % of headwind, 150 % of tailwind';

/** Describes the flight path that obstacles are checked against. */
export const pathWords = ({ turns = [] }: Pick<TakeoffCase, 'turns'>): string =>
  turns.length === 0
    ? 'net flight path, straight ahead'
    : `net flight path, turning by ${turns.map(({ headingChangeDeg, bankDeg }) => `${headingChangeDeg}° with ${bankDeg}° of bank`).join(', then ')}`;

/** Every input of a result with its value and source; surface losses are given for this weight. */
export const appliedOf = (shared: Shared, { declared, grounds }: Situation, massKg: number): Applied[] => {
  const { model, actual, takeoff, rating, ratingShare, items } = shared;
  const { configuration, obstacles } = takeoff;
  const ground = grounds.at(-1) ?? grounds[0];
  const m = (name: string, value: number, source: string): Applied =>
    appliedItem(name, Math.round(value), 'm', source);
  return [
    appliedItem('Pressure altitude', Math.round(mToFt(actual.pressureAltitudeM)), 'ft', 'elevation and QNH'),
    appliedItem('Rating', ratingShare, 'of full thrust', rating),
    appliedItem('Packs', configuration.packsOff ? 'off' : 'on', '', 'request or profile'),
    appliedItem('Anti-ice', configuration.antiIce, '', 'request or profile'),
    m('TODA after lining up', declared.todaM, 'declared distances'),
    m('Level, calm length worth the TODA', ground.todaM, creditedWind),
    m('Level, calm length worth the ASDA', ground.asdaM, creditedWind),
    ...grounds.flatMap((one) => {
      const lostKg = Math.round(massOn(one, massKg) - massKg);
      return one.loss
        ? [appliedItem('Weight lost by the surface', lostKg, 'kg', 'published, of the dry field limit')]
        : [];
    }),
    appliedItem(
      'Obstacles considered',
      obstacles.length,
      '',
      obstacles.length === 0 ? 'obstacles not considered' : pathWords(takeoff),
    ),
    appliedItem(
      'Final segment',
      Math.round(mToFt(takeoff.accelerationHeightM ?? standardAccelerationM)),
      'ft above the runway',
      `estimated: ${Math.round(100 * model.thrust.continuousShare)} % of takeoff thrust, clean speed as that of the best lift over drag`,
    ),
    ...items.applied,
  ];
};
