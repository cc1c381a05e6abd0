/** Where the parts of a landing or takeoff situation come from; handed out with them, and taken back by `performance`. */
import { z } from 'zod';

export const partSources = ['reported', 'forecast', 'plan', 'operator', 'assumed'] as const;

/** The part of a situation: a group of values that one observation, plan or operator gives together. */
export const situationParts = ['wind', 'temperature', 'qnh', 'runwayCondition'] as const;
export type SituationPart = (typeof situationParts)[number];

const maxText = 200;

export const partSourceSchema = z.object({
  source: z.enum(partSources),
  at: z.iso.datetime({ offset: true }).nullable().default(null).describe('time of the report or plan'),
  text: z
    .string()
    .max(maxText)
    .nullable()
    .default(null)
    .describe('the group of the report, or what was assumed'),
});
export type PartSource = z.output<typeof partSourceSchema>;

export const situationSourcesSchema = z
  .object({
    wind: partSourceSchema.optional(),
    temperature: partSourceSchema.optional(),
    qnh: partSourceSchema.optional(),
    runwayCondition: partSourceSchema.optional(),
  })
  .describe('where the parts come from, as `weather` and flight plans hand them out; `applied` names them');
export type SituationSources = z.output<typeof situationSourcesSchema>;
/** As answers have them: every part is named. */
export const completeSourcesSchema = z.strictObject({
  wind: partSourceSchema,
  temperature: partSourceSchema,
  qnh: partSourceSchema,
  runwayCondition: partSourceSchema,
});
export type CompleteSources = z.output<typeof completeSourcesSchema>;

export const partSourceOf = (
  source: PartSource['source'],
  at: string | null = null,
  text: string | null = null,
): PartSource => ({ source, at, text: text === null ? null : text.slice(0, maxText) });
