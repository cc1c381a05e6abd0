import { sql } from '../sql.ts';
import type { Sql } from '../sql.ts';

/** Whether the account of this column is disabled. */
export const isDisabled = (userId: Sql): Sql =>
  sql`EXISTS (SELECT FROM app_user WHERE id = ${userId} AND disabled_at IS NOT NULL)`;
