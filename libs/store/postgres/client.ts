import { Client } from 'pg';

/** Runs `work` on a dedicated connection, which is closed afterwards. */
export const withClient = async <T>(
  connectionString: string,
  applicationName: string,
  work: (client: Client) => Promise<T>,
): Promise<T> => {
  // Its work may take an hour in which it says nothing.
  const client = new Client({
    connectionString,
    application_name: applicationName,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  client.on('error', () => {
    // Lost between two statements: the next statement fails.
  });
  try {
    await client.connect();
  } catch (cause) {
    // When two addresses both refuse, Node reports a code without a text.
    const { message, code } = cause as NodeJS.ErrnoException;
    throw new Error(
      `DATABASE_URL: no connection to the database at ${client.host}:${client.port}: ${message || code}`,
      { cause },
    );
  }
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};
