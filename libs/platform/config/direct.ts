/** The same with the address of the server itself, for what no pooler can serve: migrations, backups, tools. */
export const directly = <T extends { DATABASE_URL: string; DATABASE_DIRECT_URL?: string | undefined }>(
  config: T,
): T => ({
  ...config,
  DATABASE_URL: config.DATABASE_DIRECT_URL ?? config.DATABASE_URL,
  DATABASE_DIRECT_URL: undefined,
});
