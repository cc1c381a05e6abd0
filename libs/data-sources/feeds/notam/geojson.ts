import { z } from 'zod';
import { mergeNotams } from '#domain/notam/parse.ts';
import type { Notam, NotamBatch, NotamReject } from '#domain/notam/types.ts';
import { parseSourceJson } from '../../weather/source-json.ts';
import { SourceError } from '#domain/source-error.ts';
import { oneLineOf } from '#platform/errors.ts';
import { serviceRecord } from './service-record.ts';

const textSchema = z
  .union([z.string(), z.number().transform(String)])
  .optional()
  .catch(undefined);

const featureSchema = z.object({
  properties: z.object({
    coreNOTAMData: z.object({
      notam: z.object({ id: z.string() }).catchall(textSchema),
      notamTranslation: z.array(z.object({ simpleText: textSchema, formattedText: textSchema })).catch([]),
    }),
  }),
});

/** The envelopes in use: NMS, the older API, a plain collection. */
const envelopeSchema = z.union([
  z.object({ data: z.object({ geojson: z.array(z.unknown()) }) }).transform((answer) => answer.data.geojson),
  z.object({ items: z.array(z.unknown()) }).transform((answer) => answer.items),
  z.object({ features: z.array(z.unknown()) }).transform((answer) => answer.features),
  z.array(z.unknown()),
]);

const readFeature = (value: unknown): Notam | NotamReject => {
  const parsed = featureSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return {
      reason: `${issue?.path.join('.') ?? 'feature'}: ${issue?.message ?? 'wrong'}`,
      raw: JSON.stringify(value)?.slice(0, 500) ?? '',
    };
  }
  const { notam, notamTranslation } = parsed.data.properties.coreNOTAMData;
  return serviceRecord({
    id: notam.id,
    fields: (name) => notam[name],
    localText: notamTranslation.find((each) => each.simpleText !== undefined)?.simpleText,
    icaoText: notamTranslation.find((each) => each.formattedText !== undefined)?.formattedText,
  });
};

/**
 * Reads a GeoJSON answer from an FAA service. An invalid feature becomes a reject; an invalid envelope throws
 * `SourceError`.
 */
export const parseNotamGeoJson = (json: string): NotamBatch => {
  let value: unknown;
  try {
    value = parseSourceJson(json, 'The NOTAM answer');
  } catch (error) {
    throw new SourceError('CORRUPT', oneLineOf(error), { cause: error });
  }
  const list = envelopeSchema.safeParse(value);
  if (!list.success) throw new SourceError('CORRUPT', 'The NOTAM answer has no list of features.');
  return mergeNotams(list.data.map(readFeature));
};
