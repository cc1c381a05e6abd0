/**
 * The one way of every operation, with or without HTTP: the stages below, in this order. Each stage reads
 * and completes the call; the first failure goes to the renderer.
 */
import type { Caller, DeveloperKey } from '#domain/users/types.ts';
import { DomainError } from '#domain/errors.ts';
import type { Context } from '#data/context.ts';
import { isDatabaseUnavailable } from '#data/postgres/pool.ts';
import type { Db, Tx } from '#data/postgres/sql.ts';
import type { HandlerContext, UploadedFile } from './define.ts';
import { renderFailure, renderSuccess } from './dialects.ts';
import { ApiError, commonErrors, errorEntry } from './errors.ts';
import type { ErrorTable } from './errors.ts';
import { authenticateBearer, keyAllows, resolveKey } from './stages/authenticate.ts';
import { assertStorable, validationError } from './stages/validate.ts';
import type { Registered, Registry } from './registry.ts';
import type { Services } from './services/services.ts';

export interface ApiRequest {
  body: Readonly<Record<string, unknown>>;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  ip: string;
  requestId: string;
  file?: UploadedFile | null;
  /** A failure of the front (broken JSON, wrong method): rendered and logged like any other. */
  refused?: ApiError;
}

export interface ApiResponse {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
  /** Name of the operation that answered; null when none was found. */
  operation: string | null;
  /** The body as it is sent. */
  text: string;
}

export type Dispatch = (request: ApiRequest) => Promise<ApiResponse>;

interface Call {
  request: ApiRequest;
  operation: Registered | null;
  caller: Caller | null;
  key: DeveloperKey | null;
  headers: Record<string, string>;
  data: unknown;
}

const header = (request: ApiRequest, name: string): string | undefined => {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const createDispatcher = (context: Context, services: Services, registry: Registry): Dispatch => {
  const { log, clock, postgres } = context;
  const isStrict = context.config.DEPLOYMENT === 'test';

  const declared = (table: ErrorTable, code: string, options?: ConstructorParameters<typeof ApiError>[2]) =>
    new ApiError(code, errorEntry(table, code) ?? commonErrors.INTERNAL_ERROR, options);

  const resolve = (call: Call): Registered => {
    if (call.request.refused) throw call.request.refused;
    const { query } = call.request.body;
    if (typeof query !== 'string' || query === '') throw declared({}, 'MISSING_QUERY');
    const operation = registry.find(query);
    if (operation) return operation;
    const nearest = registry.nearest(query);
    const hint = nearest.length > 0 ? ` Did you mean ${nearest.join(', ')}?` : '';
    throw declared({}, 'UNKNOWN_QUERY', {
      message: commonErrors.UNKNOWN_QUERY.message + hint,
      extra: { nearest },
    });
  };

  const authenticate = async (call: Call, operation: Registered) => {
    const { request } = call;
    const authorization = header(request, 'authorization');
    const bearer = await authenticateBearer(services, authorization);
    if (operation.auth === 'apiKeyBody') {
      const apiKey =
        request.body['api_key'] ?? (isRecord(request.body['data']) ? request.body['data']['api_key'] : null);
      call.caller =
        typeof apiKey === 'string' && apiKey !== '' ? await services.identities.byApiKey(apiKey) : null;
    } else {
      call.caller = bearer.caller;
    }
    if (!call.caller && operation.auth !== 'none') {
      const challenge = authorization === undefined ? 'Bearer' : 'Bearer error="invalid_token"';
      throw declared(operation.errors, 'AUTH_REQUIRED', { headers: { 'WWW-Authenticate': challenge } });
    }
    if (call.caller?.isDisabled && operation.auth !== 'none')
      throw declared(operation.errors, 'ACCOUNT_DISABLED');
    const keyHeader = header(request, 'x-dev-key');
    const found = await resolveKey(
      services,
      { authorization, keyHeader, body: request.body },
      operation.isKeyInCall ? null : bearer.tokenKeyId,
    );
    call.key = found.key;
    if (operation.devKey === null) return;
    if (!found.key) {
      const code = found.presented || operation.auth === 'none' ? 'INVALID_DEV_KEY' : 'ACCESS_DENIED';
      throw declared(operation.errors, code);
    }
    if (!keyAllows(found.key, operation.devKey)) throw declared(operation.errors, 'ACCESS_DENIED');
  };

  const checkLevel = (call: Call, operation: Registered) => {
    if (operation.level && (call.caller?.entitlement.level ?? 0) < operation.level) {
      throw declared(operation.errors, 'SUBSCRIPTION_LEVEL_REQUIRED', {
        extra: { requiredLevel: operation.level },
      });
    }
  };

  const checkLimits = async (call: Call, operation: Registered) => {
    const { data, email: topEmail } = call.request.body;
    const email = isRecord(data) && typeof data['email'] === 'string' ? data['email'] : topEmail;
    const subject = {
      userId: call.caller?.userId ?? null,
      developerKeyId: call.key?.id ?? null,
      email: typeof email === 'string' ? email : null,
      ip: call.request.ip,
    };
    for (const name of ['general', ...(operation.limits ?? [])] as const) {
      try {
        Object.assign(call.headers, await services.rateLimiter.take(name, subject));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        throw declared(operation.errors, error.code, { headers: error.headers });
      }
    }
  };

  const validate = (call: Call, operation: Registered) => {
    const { data = {}, query: _, ...fields } = call.request.body;
    const given = data === null ? {} : data;
    const merged = operation.inputFrom === 'bodyAndData' && isRecord(given) ? { ...fields, ...given } : given;
    const parsed = operation.input.safeParse(merged);
    if (!parsed.success) throw validationError(operation.errors, parsed.error);
    assertStorable(operation.errors, parsed.data);
    call.data = parsed.data;
  };

  const run = async (
    call: Call,
    operation: Registered,
    logId: number | null,
  ): Promise<Record<string, unknown>> => {
    const handle = async (db: Db | Tx) => {
      const output = await operation.handler({
        input: call.data as never,
        caller: call.caller,
        key: call.key,
        db: db as Tx,
        context,
        services,
        now: clock.now(),
        // A child logger is costly and rarely used, so it is made when asked for.
        get log() {
          return log.child({ logId, query: operation.name, userId: call.caller?.userId });
        },
        logId,
        file: call.request.file ?? null,
        fail: (code, extra = {}, message?) => {
          const { details, ...beside } = extra;
          return declared(operation.errors, code, {
            extra: beside,
            ...(Array.isArray(details) ? { details: details.map(String) } : {}),
            ...(message === undefined ? {} : { message }),
          });
        },
      } satisfies HandlerContext<'none' | 'jwt', ErrorTable, 'write', never> as never);
      const checked = operation.output.safeParse(output);
      if (checked.success) return checked.data as Record<string, unknown>;
      // A wrong answer is a bug: refused while testing, reported and given in production.
      if (isStrict)
        throw new Error(`${operation.name} answered against its schema: ${checked.error.message}`);
      log.error({ query: operation.name, issues: checked.error.issues }, 'answer does not fit its schema');
      return output as Record<string, unknown>;
    };
    return operation.tx === 'write' ? postgres.transaction(handle) : handle(postgres.db);
  };

  const toApiError = (error: unknown, operation: Registered | null): ApiError => {
    if (error instanceof ApiError) return error;
    if (error instanceof DomainError) {
      const entry = operation && errorEntry(operation.errors, error.code);
      if (entry) return new ApiError(error.code, entry, { extra: { ...error.extra } });
    }
    if (isDatabaseUnavailable(error)) {
      log.warn({ err: error, query: operation?.name }, 'database unavailable');
      return declared({}, 'SERVICE_UNAVAILABLE', { headers: { 'Retry-After': '2' } });
    }
    log.error({ err: error, query: operation?.name }, 'operation failed');
    return declared({}, 'INTERNAL_ERROR');
  };

  return async (request) => {
    const started = performance.now();
    const logId = services.requestLog.nextId();
    const call: Call = { request, operation: null, caller: null, key: null, headers: {}, data: null };
    let response: Omit<ApiResponse, 'text' | 'operation'>;
    let errorCode: string | null = null;
    try {
      const operation = resolve(call);
      call.operation = operation;
      await authenticate(call, operation);
      checkLevel(call, operation);
      await checkLimits(call, operation);
      validate(call, operation);
      const output = await run(call, operation, logId);
      response = { status: 200, headers: call.headers, body: renderSuccess(operation.dialect, output) };
    } catch (error) {
      const failure = toApiError(error, call.operation);
      errorCode = failure.code;
      const { status, body } = renderFailure(call.operation?.dialect ?? 'flat', failure);
      response = { status, headers: { ...call.headers, ...failure.headers }, body };
    }
    const text = JSON.stringify(response.body);
    if (logId !== null) {
      response.headers['X-SVC-Log-Id'] = String(logId);
      services.requestLog.add({
        id: logId,
        requestId: request.requestId,
        query: call.operation?.name ?? null,
        userId: call.caller?.userId ?? null,
        developerKeyId: call.key?.id ?? null,
        status: response.status,
        errorCode,
        durationMs: performance.now() - started,
        ip: request.ip,
        headers: request.headers,
        request: request.body,
        response: response.body,
        responseText: text,
        isCalculation: call.operation?.isCalculation ?? false,
        createdAt: clock.now(),
      });
    }
    return { ...response, operation: call.operation?.name ?? null, text };
  };
};
