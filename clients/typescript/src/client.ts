import { changesFrom } from './changes.ts';
import { downloadFrom } from './download.ts';
import type { DownloadOptions, DownloadPart } from './download.ts';
import { EfbError } from './errors.ts';
import { updateFlightData } from './flight-data.ts';
import type { FlightDataKey, FlightDataRow, Merge, UpdateOptions } from './flight-data.ts';
import { queries } from './generated/queries.ts';
import { allOf } from './paging.ts';
import type { Paged } from './paging.ts';
import { isRepeatable, newKey, pause, waitMs } from './retry.ts';
import { createSession } from './session.ts';
import { createSend } from './transport.ts';
import type {
  Call,
  CallArguments,
  CallOptions,
  Caller,
  ClientOptions,
  Credentials,
  Input,
  Output,
  QueryName,
  Token,
  UploadName,
} from './types.ts';

export interface Client extends Caller {
  /** Calls a query with a file. */
  upload: <Q extends UploadName>(
    query: Q,
    input: Input<Q>,
    file: Blob,
    options?: CallOptions & { filename?: string },
  ) => Promise<Output<Q>>;
  /** The bytes behind a link of `librarySync`; resumes an interrupted download. */
  download: (url: string, options?: DownloadOptions) => AsyncGenerator<DownloadPart, void, undefined>;
  /** All entries of a paged query. */
  all: <Q extends keyof Paged>(
    query: Q,
    input?: NonNullable<Input<Q>>,
    options?: CallOptions,
  ) => AsyncGenerator<Paged[Q], void, undefined>;
  /** Changes from a cursor on, as they happen: store the answer's cursor once its changes are stored. */
  changes: (
    since: string,
    options?: Parameters<typeof changesFrom>[2],
  ) => AsyncGenerator<Output<'changes'>, void, undefined>;
  /** Changes a section of a flight plan's data without losing concurrent saves of other devices. */
  updateFlightData: (key: FlightDataKey, merge: Merge, options?: UpdateOptions) => Promise<FlightDataRow>;
  /** Logs in; later calls use the token. */
  login: (credentials: Credentials, options?: CallOptions) => Promise<Output<'login'>>;
  /** Ends the session and forgets its token. */
  logout: (options?: CallOptions) => Promise<void>;
  /** Address and headers for a request made by another library for the user. */
  connection: () => Promise<{ baseUrl: string; headers: Record<string, string> }>;
  /** Replaces the token; null forgets it. */
  useToken: (token: Token | null) => void;
}

export const createClient = (options: ClientOptions): Client => {
  const { timeoutMs = 30_000, retries = 3, maxWaitMs = 20_000 } = options;
  const sendOnce = createSend(options);
  const login = (credentials: Credentials, callOptions?: CallOptions) =>
    repeat('login', JSON.stringify({ query: 'login', data: credentials }), callOptions);
  const refresh = async (token: string) =>
    (await sendOnce({
      query: 'refreshToken',
      body: JSON.stringify({ query: 'refreshToken' }),
      token,
      key: null,
      timeoutMs,
      signal: undefined,
    })) as Output<'refreshToken'>;
  const session = createSession(options, { login, refresh });

  /** One attempt; a refused token is replaced once, since the refused call has changed nothing. */
  const attempt = async (
    query: QueryName,
    body: string | FormData,
    { key, ...call }: CallOptions & { key: string | null },
  ) => {
    const { needsUser } = queries[query];
    const once = async (token: string | null) =>
      sendOnce({ query, body, token, key, signal: call.signal, timeoutMs: call.timeoutMs ?? timeoutMs });
    const token = needsUser ? await session.token() : null;
    try {
      return await once(token);
    } catch (error) {
      const isRefused = needsUser && error instanceof EfbError && error.code === 'AUTH_REQUIRED';
      if (!isRefused || !session.renew(token)) throw error;
      return once(await session.token());
    }
  };

  const repeat = async <Q extends QueryName>(
    query: Q,
    body: string | FormData,
    call: CallOptions = {},
  ): Promise<Output<Q>> => {
    const { isRead, takesKey } = queries[query];
    const isSafe = call.isSafeToRepeat ?? (isRead || takesKey);
    const key = takesKey ? (call.idempotencyKey ?? newKey()) : null;
    for (let n = 0; ; n += 1) {
      try {
        // The service validates its answers against the schemas of these types.
        return (await attempt(query, body, { ...call, key })) as Output<Q>;
      } catch (error) {
        // The failed login has already been retried.
        const isOwn = error instanceof EfbError && error.query === query;
        if (!isOwn || n >= (call.retries ?? retries)) throw error;
        const ms = waitMs(error, n);
        if (!isRepeatable(error, isSafe) || ms > maxWaitMs) throw error;
        await pause(ms, call.signal);
      }
    }
  };

  const send = <Q extends QueryName>(query: Q, data: Input<Q>, call?: CallOptions): Promise<Output<Q>> =>
    repeat(query, JSON.stringify({ query, ...(data === undefined ? {} : { data }) }), call);

  const client: Client = {
    send,
    call: (<Q extends QueryName>(query: Q, ...[data, call]: CallArguments<Q>) =>
      send(query, data as Input<Q>, call)) as Call,
    upload: (query, data, file, { filename, ...call } = {}) => {
      // The service needs all other fields before the file.
      const form = new FormData();
      form.append('query', query);
      if (data !== undefined) form.append('data', JSON.stringify(data));
      const name = filename ?? ('name' in file ? String(file.name) : 'file');
      form.append('file', file, name);
      return repeat(query, form, call);
    },
    all: (query, input = {} as never, call) => allOf(client, query, input, call),
    download: (url, call) => downloadFrom(options, url, call),
    changes: (since, call) => changesFrom(client, since, call),
    updateFlightData: (key, merge, call) => updateFlightData(client, key, merge, call),
    login: async (credentials, call) => {
      const answer = await login(credentials, call);
      session.use(answer);
      return answer;
    },
    logout: async (call) => {
      await send('logout', {}, call);
      session.use(null);
    },
    connection: async () => {
      const token = await session.token();
      return {
        baseUrl: options.baseUrl.replace(/\/+$/, ''),
        headers: {
          ...(options.devKey === undefined ? {} : { 'X-Dev-Key': options.devKey }),
          ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
        },
      };
    },
    useToken: session.use,
  };
  return client;
};
