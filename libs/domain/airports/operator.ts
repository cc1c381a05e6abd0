/** Airport data set by the operator: stored separately and merged over each import. */
import { z } from 'zod';
import { icaoField } from '../fields/index.ts';
import { normaliseRunwayIdent } from './ident.ts';
import type { RunwayComment } from './changes.ts';

const icaoRule = 'icao must be a letter and three letters or digits';
const icaoSchema = icaoField({ missing: icaoRule, invalid: icaoRule });

const identSchema = z.string().transform((text, context) => {
  const normalised = normaliseRunwayIdent(text);
  if (normalised === null) {
    context.addIssue('ident must be a runway direction such as 07L');
    return z.NEVER;
  }
  return normalised;
});

const metresSchema = z
  .number()
  .min(100, 'distances are metres, at least 100')
  .max(10_000, 'distances are at most 10000 m');

export const operatorRunwaySchema = z
  .object({
    icao: icaoSchema,
    ident: identSchema,
    toraM: metresSchema.nullable().default(null),
    todaM: metresSchema.nullable().default(null),
    asdaM: metresSchema.nullable().default(null),
    ldaM: metresSchema.nullable().default(null),
    isClosed: z.boolean().nullable().default(null),
    efpKind: z.enum(['std', 'custom'], 'efp must be std or custom').default('std'),
    efpText: z.string().trim().min(1).max(4_000).nullable().default(null),
    efpAccelerationAltitudeFt: z.number().int().min(-1_500).max(30_000).nullable().default(null),
    efpTurn: z
      .enum(['none', 'left', 'right'], 'efp_turn must be none, left or right')
      .nullable()
      .default(null),
    macgPercent: z.number().min(0).max(15, 'macg_percent is at most 15').nullable().default(null),
    note: z.string().trim().min(1).max(1_000).nullable().default(null),
  })
  .refine((runway) => runway.efpKind === 'std' || runway.efpText !== null, 'a custom efp needs efp_text');

export type OperatorRunway = z.output<typeof operatorRunwaySchema>;
export type OperatorRunwayInput = z.input<typeof operatorRunwaySchema>;

export const operatorExitSchema = z.object({
  icao: icaoSchema,
  ident: identSchema,
  name: z.string().trim().toUpperCase().min(1).max(12),
  side: z.enum(['left', 'right'], 'side must be left or right').nullable().default(null),
  distanceM: z.number().min(0).max(10_000),
  angleDeg: z.number().min(0).max(180).nullable().default(null),
  isHidden: z.boolean().default(false),
});

export type OperatorExit = z.output<typeof operatorExitSchema>;
export type OperatorExitInput = z.input<typeof operatorExitSchema>;

/** True for an entry without data (a note does not count), which is deleted rather than stored. */
export const isEmptyOverride = (runway: OperatorRunway): boolean => {
  const { icao: _icao, ident: _ident, note: _note, efpKind, ...values } = runway;
  return efpKind === 'std' && Object.values(values).every((value) => value === null);
};

/** The changelog text for an operator's entry. */
export const describeOverride = (runway: OperatorRunway): RunwayComment => {
  const parts = [
    ...(['tora', 'toda', 'asda', 'lda'] as const).flatMap((kind) => {
      const value = runway[`${kind}M`];
      return value === null ? [] : [`${kind.toUpperCase()} ${Math.round(value)} m`];
    }),
    ...(runway.isClosed === null ? [] : [runway.isClosed ? 'closed' : 'open']),
    ...(runway.efpKind === 'custom' ? ['custom engine-failure procedure'] : []),
    ...(runway.macgPercent === null ? [] : [`missed-approach climb ${runway.macgPercent} %`]),
  ];
  return { id: runway.ident, comment: `operator: ${parts.length > 0 ? parts.join(', ') : 'entry removed'}` };
};
