import { z } from 'zod';

/** Changes when older archives can no longer be read. */
export const archiveVersion = 1;

/** They become SQL, so nothing else may be in them. */
const nameSchema = z.string().regex(/^[a-z_]\w*\.[a-z_]\w*$/);
const columnSchema = z.string().regex(/^"?[a-z_]\w*"?$/);
const boundSchema = z.string().regex(/^(?:DEFAULT|FOR VALUES [\w '(),:+-]+)$/);
const keySchema = z.string().regex(/^(?:RANGE|LIST|HASH) \([a-z_, ]+\)$/);
const textSchema = z.string();

/** `manifest.json`, the first entry of an archive. */
export const manifestSchema = z.object({
  format: z.literal('efb-backup'),
  version: z.number().int(),
  /** Version of the service that made it. */
  service: textSchema,
  /** The moment whose state it has, ISO 8601. */
  takenAt: z.iso.datetime(),
  /** Every other entry, in order: its path, size in bytes and SHA-256 in hexadecimal. */
  entries: z.array(z.object({ path: textSchema, bytes: z.number().int(), sha256: textSchema })),
  database: z.object({
    migrations: z.array(textSchema),
    queueVersion: z.number().int(),
    tables: z.array(
      z.object({
        name: nameSchema,
        columns: z.array(columnSchema),
        rows: z.number().int(),
        file: z.string().regex(/^\d+\.copy$/),
      }),
    ),
    partitions: z.array(
      z.object({ name: nameSchema, parent: nameSchema, bound: boundSchema, key: keySchema.nullable() }),
    ),
    sequences: z.array(z.object({ name: nameSchema, value: z.string().regex(/^\d+$/) })),
  }),
});
export type Manifest = z.output<typeof manifestSchema>;
