import { Client } from 'pg';

/**
 * Sets the clock of pg-boss back: `job_now()` is the only time that its statements know. The result sets it right
 * again.
 */
export const setBossClockBack = async (
  connectionString: string,
  seconds: number,
): Promise<() => Promise<void>> => {
  const define = async (body: string) => {
    const client = new Client({ connectionString });
    await client.connect();
    await client.query(`CREATE OR REPLACE FUNCTION pgboss.job_now() RETURNS timestamp with time zone
      LANGUAGE sql STABLE AS $$ SELECT ${body} $$`);
    await client.end();
  };
  await define(`pg_catalog.now() - make_interval(secs => ${seconds})`);
  return () => define('pg_catalog.now()');
};
