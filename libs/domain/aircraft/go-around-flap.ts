import type { AircraftProfile } from './profile.ts';

/** Go-around flap of a family B profile that gives none: 15 for 737 types, 20 for the others (M-2.9.3b). */
export const defaultGoAroundFlap = ({ model }: Pick<AircraftProfile, 'model'>): string =>
  model.variant.startsWith('737') ? '15' : '20';
