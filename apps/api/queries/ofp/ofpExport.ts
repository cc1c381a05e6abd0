import { z } from 'zod';
import { ofpIdField } from '#domain/ofp/id.ts';
import { flightOf } from '#domain/ofp/flight.ts';
import { fmsOf } from '#data/ofp/export/fms.ts';
import { plnOf } from '#data/ofp/export/pln.ts';
import { flightErrors } from './common/ofp.ts';
import { readPlan } from '../weather/common/route.ts';
import { defineQuery } from '../../define.ts';

const formats = {
  PLN: { write: plnOf, ending: 'pln', mimeType: 'application/xml' },
  FMS: { write: fmsOf, ending: 'fms', mimeType: 'text/plain' },
} as const;
const names = ['PLN', 'FMS'] as const;

export default defineQuery({
  name: 'ofpExport',
  get: { maxAgeSeconds: 0 },
  spec: ['4.2'],
  summary: 'A stored flight plan as a simulator file: route, runways and procedures.',
  errors: flightErrors,
  input: z.strictObject({
    ofpId: ofpIdField(),
    format: z
      .enum(names, 'INVALID_FIELD')
      .describe('PLN: Microsoft Flight Simulator and its predecessors; FMS: X-Plane 11 and 12'),
  }),
  output: z.strictObject({
    ofpId: z.string(),
    revision: z.int(),
    format: z.enum(names),
    fileName: z.string(),
    mimeType: z.string(),
    content: z.string().describe('the file as UTF-8 text'),
  }),
  example: { ofpId: 'OFP-abcdefghijklmnopqrst', format: 'PLN' },
  handler: async (ctx) => {
    const { ofpId, format } = ctx.input;
    const { row, plan } = await readPlan(ctx, ofpId);
    const flight = flightOf(plan);
    const { write, ending, mimeType } = formats[format];
    return {
      ofpId,
      revision: row.revision,
      format,
      fileName: `${flight.origin.icao}${flight.destination.icao}.${ending}`,
      mimeType,
      content: write(flight),
    };
  },
});
