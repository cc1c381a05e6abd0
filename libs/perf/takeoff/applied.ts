import { mToFt } from '../kernel/units.ts';
import type { Applied } from '../landing/types.ts';
import type { Situation } from './limits.ts';
import type { Shared } from './situation.ts';

const creditedWind = 'slope and wind, 50 % of headwind, 150 % of tailwind';

/** Everything in a result, with value and source. */
export const appliedOf = (shared: Shared, { declared, grounds }: Situation): Applied[] => {
  const { actual, takeoff, rating, ratingShare, items } = shared;
  const { configuration, obstacles } = takeoff;
  const ground = grounds.at(-1);
  const m = (name: string, value: number | undefined, source: string): Applied => ({
    name,
    value: Math.round(value ?? 0),
    unit: 'm',
    source,
  });
  return [
    {
      name: 'Pressure altitude',
      value: Math.round(mToFt(actual.pressureAltitudeM)),
      unit: 'ft',
      source: 'elevation and QNH',
    },
    { name: 'Rating', value: ratingShare, unit: 'of full thrust', source: rating },
    { name: 'Packs', value: configuration.packsOff ? 'off' : 'on', unit: '', source: 'request or profile' },
    { name: 'Anti-ice', value: configuration.antiIce, unit: '', source: 'request or profile' },
    m('TODA after lining up', declared.todaM, 'declared distances'),
    m('Level, calm length worth the TODA', ground?.todaM, creditedWind),
    m('Level, calm length worth the ASDA', ground?.asdaM, creditedWind),
    {
      name: 'Obstacles considered',
      value: obstacles.length,
      unit: '',
      source: obstacles.length === 0 ? 'obstacles not considered' : 'net flight path, straight',
    },
    ...items.applied,
  ];
};
