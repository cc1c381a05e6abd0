import type { TakeoffPerformance } from '#domain/aircraft/profile-takeoff.ts';
import type { TakeoffCase, TakeoffCaution } from './types.ts';

const kg = (value: number): string => `${Math.floor(value)} kg`;

/** What a crew must know about a result. */
export const cautionsOf = (
  { model, takeoff }: { model: TakeoffPerformance; takeoff: TakeoffCase },
  flap: string,
  limitKg: number,
  isReducible: boolean,
): TakeoffCaution[] => {
  const cautions: TakeoffCaution[] = [];
  const add = (code: string, text: string): void => void cautions.push({ code, text });
  const { massKg, obstacles, condition, runway } = takeoff;
  if (limitKg <= 0) add('NO_TAKEOFF_WEIGHT', 'No weight can take off here.');
  else if (massKg !== undefined && massKg > limitKg)
    add('WEIGHT_ABOVE_LIMIT', `The takeoff weight is above the limit of ${kg(limitKg)}.`);
  if (obstacles.length === 0) add('OBSTACLES_NOT_CONSIDERED', 'Obstacles not considered.');
  if (!isReducible)
    add('FULL_THRUST', 'Reduced thrust is not allowed here; use full thrust or a fixed derate.');
  if (!model.fittedFlaps.includes(flap))
    add(
      'TAKEOFF_ESTIMATED',
      `Takeoff figures of flaps ${flap} are estimated, not fitted to published tables.`,
    );
  if (condition.state !== 'DRY') add('SCREEN_15_FT', 'Engine-out takeoff distance to 15 ft, not 35 ft.');
  if ((runway.lineupAngle ?? 0) !== 0 && !model.lineup)
    add('LINEUP_NOT_KNOWN', 'The length lost in lining up is not known for this aircraft and not deducted.');
  add('VALIDITY', 'Valid to 5 hPa below the QNH, 3 °C above the temperature and for no less headwind.');
  return cautions;
};
