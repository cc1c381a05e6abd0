import { mToFt } from '../kernel/units.ts';
import type { Applied } from '../landing/types.ts';
import { massOn } from './ground.ts';
import type { Situation } from './ground.ts';
import type { Shared } from './situation.ts';
import { standardAccelerationM } from './surface.ts';
import type { TakeoffCase } from './types.ts';
import { told } from '../landing/told.ts';

const creditedWind = 'slope and wind, 50 % of headwind, 150 % of tailwind';

/** The path that obstacles are compared with. */
export const pathWords = ({ turns = [] }: Pick<TakeoffCase, 'turns'>): string =>
  turns.length === 0
    ? 'net flight path, straight ahead'
    : `net flight path, turning by ${turns.map(({ headingChangeDeg, bankDeg }) => `${headingChangeDeg}° with ${bankDeg}° of bank`).join(', then ')}`;

/** Everything in a result, with value and source; losses by a surface are those of a weight. */
export const appliedOf = (shared: Shared, { declared, grounds }: Situation, massKg: number): Applied[] => {
  const { model, actual, takeoff, rating, ratingShare, items } = shared;
  const { configuration, obstacles } = takeoff;
  const ground = grounds.at(-1);
  const m = (name: string, value: number | undefined, source: string): Applied =>
    told(name, Math.round(value ?? 0), 'm', source);
  return [
    told('Pressure altitude', Math.round(mToFt(actual.pressureAltitudeM)), 'ft', 'elevation and QNH'),
    told('Rating', ratingShare, 'of full thrust', rating),
    told('Packs', configuration.packsOff ? 'off' : 'on', '', 'request or profile'),
    told('Anti-ice', configuration.antiIce, '', 'request or profile'),
    m('TODA after lining up', declared.todaM, 'declared distances'),
    m('Level, calm length worth the TODA', ground?.todaM, creditedWind),
    m('Level, calm length worth the ASDA', ground?.asdaM, creditedWind),
    ...grounds.flatMap((one) => {
      const lostKg = Math.round(massOn(one, massKg) - massKg);
      return one.loss
        ? [told('Weight lost by the surface', lostKg, 'kg', 'published, of the dry field limit')]
        : [];
    }),
    told(
      'Obstacles considered',
      obstacles.length,
      '',
      obstacles.length === 0 ? 'obstacles not considered' : pathWords(takeoff),
    ),
    told(
      'Final segment',
      Math.round(mToFt(takeoff.accelerationHeightM ?? standardAccelerationM)),
      'ft above the runway',
      `estimated: ${Math.round(100 * model.thrust.continuousShare)} % of takeoff thrust, clean speed as that of the best lift over drag`,
    ),
    ...items.applied,
  ];
};
