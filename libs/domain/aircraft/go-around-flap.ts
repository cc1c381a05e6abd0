import type { AircraftProfile } from './profile.ts';

/** Default go-around flap of family B: 15 for 737 types, 20 for others (M-2.9.3b). */
export const defaultGoAroundFlap = ({ model }: Pick<AircraftProfile, 'model'>): string =>
  model.variant.startsWith('737') ? '15' : '20';
