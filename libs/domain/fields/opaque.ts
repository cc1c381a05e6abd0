import { z } from 'zod';

/** Fields whose content belongs to the client: a `JsonText` to the schema, stored unchanged, and never in the request log. */
export const opaqueFields = z.registry<Record<string, never>>();
