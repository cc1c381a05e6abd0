/** A user's calculations, while their contents are kept. */
import { z } from 'zod';
import { wireTime } from '../time.ts';
import { isRecord } from '../record.ts';

const calculationKinds = ['takeoff', 'landingDispatch', 'landingEnroute', 'other'] as const;
export type CalculationKind = (typeof calculationKinds)[number];

export const pastCalculationSchema = z.strictObject({
  calculationId: z.uuid(),
  createdAt: z.string(),
  kind: z.enum(calculationKinds),
  /** File of the aircraft profile. */
  profile: z.string(),
  registration: z.string().nullable(),
  airport: z.string().nullable(),
  runway: z.string().nullable(),
});

export interface PastCalculation extends Omit<z.output<typeof pastCalculationSchema>, 'createdAt'> {
  createdAt: Date;
}

export const pastCalculationView = (past: PastCalculation): z.output<typeof pastCalculationSchema> => ({
  ...past,
  createdAt: wireTime(past.createdAt),
});

const partFields: Readonly<Record<string, readonly string[]>> = { wind: ['windDirection', 'windSpeed'] };
/** The stored request, ready to send again: without members added by the service and assumed values. */
export const sendableRequest = (request: Record<string, unknown>): Record<string, unknown> => {
  const { weather, runwayCondition, ...rest } = request;
  const { assumed = [], ...winds } = isRecord(weather) ? weather : {};
  const silent = new Set((assumed as string[]).flatMap((part) => partFields[part] ?? [part]));
  const { isAssumed, reportedCode: _, ...condition } = isRecord(runwayCondition) ? runwayCondition : {};
  return {
    ...rest,
    ...(weather === undefined
      ? {}
      : { weather: Object.fromEntries(Object.entries(winds).filter(([name]) => !silent.has(name))) }),
    ...(runwayCondition === undefined || isAssumed === true ? {} : { runwayCondition: condition }),
  };
};
