/** Sources of the parts of a landing or takeoff situation; returned with them, and accepted by `performance`. */
import { z } from 'zod';
import { textField } from '../../fields/index.ts';
import { plainCaution } from '../caution.ts';
import type { CautionAnswer, PlainCaution } from '../caution.ts';
import { minuteMs } from '../../time.ts';

const partSources = ['reported', 'forecast', 'plan', 'operator', 'assumed'] as const;

/** Parts of a situation: values that one observation, plan or operator states together. */
export const situationParts = ['wind', 'temperature', 'qnh', 'runwayCondition'] as const;
export type SituationPart = (typeof situationParts)[number];

const maxText = 2_000;
const maxTimeText = 40;

const partSourceSchema = z
  .strictObject({
    source: z
      .enum(partSources)
      .describe('a report, a forecast, the plan, the operator of the airport, or an assumption'),
    at: z.iso
      .datetime({ offset: true, error: 'must be a time in ISO 8601' })
      .max(maxTimeText)
      .nullable()
      .describe('time of the report or plan, ISO 8601')
      .default(null),
    text: textField(maxText, { invalid: `must be a string of at most ${maxText} characters` })
      .nullable()
      .describe('the group in the report, or the assumption')
      .default(null),
    ageMinutes: z
      .int('must be whole minutes')
      .min(0, 'must not be negative')
      .nullable()
      .describe('age of the report or plan at the time of landing or takeoff, minutes; null: not known')
      .default(null),
  })
  .describe('source of this part');
export type PartSource = z.output<typeof partSourceSchema>;

/** A plan value that a calculation does not take over, in words. */
const differenceSchema = z.strictObject({
  text: textField(maxText, { invalid: `must be a string of at most ${maxText} characters` }).describe(
    'description, for people',
  ),
});
export type Difference = z.output<typeof differenceSchema>;
export const differenceOf = (text: string): Difference => ({ text: text.slice(0, maxText) });

export const situationSourcesSchema = z
  .strictObject({
    wind: partSourceSchema.optional(),
    temperature: partSourceSchema.optional(),
    qnh: partSourceSchema.optional(),
    runwayCondition: partSourceSchema.optional(),
    aircraft: differenceSchema
      .optional()
      .describe('how the aircraft differs from the one in the flight plan'),
    configuration: differenceSchema
      .optional()
      .describe('settings of the flight plan for which the configuration has no option'),
  })
  .describe('source of each part, as returned with `weather` and flight plans; `applied` names them');
type SituationSources = z.output<typeof situationSourcesSchema>;
/** As answered: every part has a source. */
const answeredSourceSchema = z
  .strictObject({
    source: partSourceSchema.shape.source,
    at: partSourceSchema.shape.at.unwrap(),
    text: partSourceSchema.shape.text.unwrap(),
    ageMinutes: partSourceSchema.shape.ageMinutes.unwrap(),
  })
  .describe('source of this part');
export const answeredDifferenceSchema = z.strictObject({
  text: z.string().describe('description, for people'),
});
export const completeSourcesSchema = z
  .strictObject({
    wind: answeredSourceSchema,
    temperature: answeredSourceSchema,
    qnh: answeredSourceSchema,
    runwayCondition: answeredSourceSchema,
  })
  .describe('source of each part');
export type CompleteSources = z.output<typeof completeSourcesSchema>;

export const partSourceOf = (
  source: PartSource['source'],
  at: string | null = null,
  text: string | null = null,
): PartSource => ({ source, at, text: text === null ? null : text.slice(0, maxText), ageMinutes: null });

export const saidBesides = (part: PartSource, more: string): PartSource => ({
  ...part,
  text: `${part.text ?? ''}; ${more}`.slice(0, maxText),
});

/** Adds the age of a part at the time of the situation, ISO 8601. */
export const aged = (part: PartSource, time: string | null): PartSource => {
  if (part.at === null || time === null) return part;
  const ageMs = Date.parse(time) - Date.parse(part.at);
  return { ...part, ageMinutes: Math.max(0, Math.round(ageMs / minuteMs)) };
};

export const partNames: Readonly<Record<SituationPart, string>> = {
  wind: 'wind',
  temperature: 'temperature',
  qnh: 'QNH',
  runwayCondition: 'runway condition',
};

/** Reports are renewed within the hour; older ones may no longer apply. */
const oldMinutes = 90;

/** Cautions about old reports, at the time of landing or takeoff. */
const ageCautions = (sources: SituationSources, time: Date): CautionAnswer[] => {
  const old = situationParts.flatMap((part) => {
    const given = sources[part];
    if (given?.source !== 'reported') return [];
    const { ageMinutes } = aged(given, time.toISOString());
    return ageMinutes !== null && ageMinutes > oldMinutes ? [{ name: partNames[part], ageMinutes }] : [];
  });
  if (old.length === 0) return [];
  const value = Math.max(...old.map(({ ageMinutes }) => ageMinutes));
  const text = `Reported ${value} min before: ${old.map(({ name }) => name).join(', ')}. Ask for a newer report or a forecast.`;
  const plain = plainCaution('WEATHER_OLD', text, 'sources');
  return [{ ...plain, severity: 'warning', value, limit: oldMinutes, unit: 'min' }];
};

const textCaution = (
  code: PlainCaution,
  difference: Difference | undefined,
  field: string,
): CautionAnswer[] =>
  difference ? [{ ...plainCaution(code, difference.text, field), severity: 'warning' }] : [];

/** Cautions about the sources of a request: aircraft and settings that differ from the plan, and old reports. */
export const sourceCautions = (sources: SituationSources, time: Date): CautionAnswer[] => [
  ...textCaution('AIRCRAFT_DIFFERS', sources.aircraft, 'aircraft'),
  ...textCaution('SETTINGS_NOT_CARRIED', sources.configuration, 'configuration'),
  ...ageCautions(sources, time),
];
