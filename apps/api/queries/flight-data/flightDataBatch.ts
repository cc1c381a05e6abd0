import { z } from 'zod';
import { listField } from '#domain/fields/index.ts';
import { givenDataKeyField, maxSections } from '#domain/flight-data/fields.ts';
import { flightDataRowSchema, flightDataRowView } from '#domain/flight-data/flight-data.ts';
import { ofpIdField } from '#domain/ofp/id.ts';
import { maxSeveral, maxSeveralBytes, severalShape } from '#domain/sync/several.ts';
import { flightDataRepo } from '#store/postgres/flight-data/flight-data.ts';
import { flightDataErrors } from './common/flight-data.ts';
import { defineQuery } from '../../define.ts';

// Unknown plans are `missing`.
const { OFP_NOT_FOUND: _, ...errors } = flightDataErrors;

const allText = 'sections to return; if absent, all';
const planSchema = z.strictObject({
  ofpId: ofpIdField(),
  dataKeys: listField(givenDataKeyField(), { min: 1, max: maxSections }).optional().describe(allText),
});
type Plan = z.output<typeof planSchema>;
/** As requested. */
const askedSchema = z.strictObject({
  ofpId: z.string(),
  dataKeys: z.array(z.string()).optional().describe(allText),
});

export default defineQuery({
  name: 'flightDataBatch',
  spec: ['2.3', '4.2'],
  summary: `Sections of the data of up to ${maxSeveral} flight plans, their payloads unchanged, as far as they fit into 2 MB.`,
  errors: { ...errors, MISSING_FIELD: 400, INVALID_FIELD: 400 },
  input: z.strictObject({ plans: listField(planSchema, { min: 1, max: maxSeveral }) }),
  output: z.strictObject(severalShape(flightDataRowSchema, askedSchema, askedSchema)),
  example: { plans: [{ ofpId: 'OFP-7K3MXQ2VHT5B9RDW4CFJ', dataKeys: ['fuel'] }] },
  handler: async ({ input: { plans }, caller: { userId }, db, now }) => {
    const items: z.input<typeof flightDataRowSchema>[] = [];
    const [missing, left]: [Plan[], Plan[]] = [[], []];
    let bytesLeft = maxSeveralBytes;
    for (const plan of plans) {
      if (bytesLeft <= 0) {
        left.push(plan);
        continue;
      }
      const { ofpId, dataKeys = null } = plan;
      const call = { ofpId, userId, now };
      const found = await flightDataRepo(db).several(call, dataKeys, {
        maxBytes: bytesLeft,
        isFirst: items.length === 0,
      });
      if (!found) {
        missing.push(plan);
        continue;
      }
      items.push(...found.rows.map(flightDataRowView));
      bytesLeft = found.left.length > 0 ? 0 : bytesLeft - found.bytes;
      if (found.left.length > 0) left.push({ ofpId, dataKeys: found.left });
      const known = new Set([...found.rows.map(({ dataKey }) => dataKey), ...found.left]);
      const absent = (dataKeys ?? []).filter((key) => !known.has(key));
      if (absent.length > 0) missing.push({ ofpId, dataKeys: absent });
    }
    return { items, missing, left };
  },
});
