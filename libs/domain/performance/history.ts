/** Calculations that a user has made, as long as their contents are kept. */
import { z } from 'zod';
import { wireTime } from '../time.ts';

export const calculationKinds = ['takeoff', 'landingDispatch', 'landingEnroute', 'other'] as const;
export type CalculationKind = (typeof calculationKinds)[number];

export interface PastCalculation {
  calculationId: string;
  createdAt: Date;
  kind: CalculationKind;
  /** File of the aircraft profile. */
  profile: string;
  registration: string | null;
  airport: string | null;
  runway: string | null;
}

export const pastCalculationSchema = z.strictObject({
  calculationId: z.uuid(),
  createdAt: z.string(),
  kind: z.enum(calculationKinds),
  profile: z.string(),
  registration: z.string().nullable(),
  airport: z.string().nullable(),
  runway: z.string().nullable(),
});

export const pastCalculationView = (past: PastCalculation): z.output<typeof pastCalculationSchema> => ({
  ...past,
  createdAt: wireTime(past.createdAt),
});
