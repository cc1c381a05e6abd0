/**
 * Every operation runs through the stages below, in this order, with or without HTTP. Each stage reads and
 * completes the call; the first failure goes to the renderer. Nothing is read, looked up or run before the
 * preceding stages allow it.
 */
import type { Context } from '#data/context.ts';
import { isFromServer } from '#store/postgres/unavailable.ts';
import { DomainError, UnavailableError } from '#domain/errors.ts';
import { GatewayError } from '#domain/subscriptions/gateway.ts';
import type { Caller } from '#domain/users/types.ts';
import { writeJson } from '#domain/text/json-text.ts';
import type { WrittenJson } from '#domain/text/json-text.ts';
import type { ApiRequest, Call, Stage } from './call.ts';
import { ApiError, commonError, declaredError, errorEntry, unavailableOf } from './errors.ts';
import type { ErrorOptions } from './errors.ts';
import type { Registered, Registry } from './registry.ts';
import { newCall } from './call.ts';
import type { Tools } from './handler-context.ts';
import { renderFailure } from './dialects.ts';
import type { Services } from './services/services.ts';
import { callerNow, callerOfToken, checkCaller, confirm, identify } from './stages/authenticate.ts';
import { checkBodySize, countAddress, countGeneral, countLimits } from './stages/limits.ts';
import { createRun, runOnceByKey } from './stages/run.ts';
import { assertNoProto, loggedFields, refusalHint, validate } from './stages/validate.ts';
import { byQuery, peek, resolve } from './stages/resolve.ts';
import type { Naming } from './stages/resolve.ts';
import { announcedBytes, findQuota, takeUpload } from './http/uploads.ts';

/** Throws METHOD_NOT_ALLOWED for an action called with the wrong method. */
const checkMethod: Stage = ({ method, errors }, { request }) => {
  if (method === undefined || method === (request.method ?? 'POST')) return;
  throw declaredError(errors, 'METHOD_NOT_ALLOWED', {
    message: `Only ${method} is allowed for this action.`,
    headers: { Allow: method },
  });
};

/** Throws UNEXPECTED_FILE when the operation declares no upload. For calls with a file. */
const acceptFile: Stage = ({ upload, errors }, call) => {
  if (call.bringsFile && !upload) throw declaredError(errors, 'UNEXPECTED_FILE');
};

/**
 * Keeps the message of a domain error, or uses the code's default. Only extra fields in the declared schema are sent.
 */
const fromRule = (error: DomainError, operation: Registered): ApiError | null => {
  const entry = errorEntry(operation.errors, error.code);
  if (!entry) return null;
  const { field, ...given } = error.extra;
  const declared = entry.extra?.safeParse(given);
  // Undeclared or invalid fields are a bug in the rule that threw them.
  if (declared?.success === false || (!declared && Object.keys(given).length > 0)) return null;
  const options: ErrorOptions = {
    extra: declared?.data ?? {},
    ...(typeof field === 'string' ? { field } : {}),
    ...(error.message === error.code ? {} : { message: error.message }),
  };
  return new ApiError(error.code, entry, options);
};

/** The error that the caller sees. A bug is logged and becomes INTERNAL_ERROR without internals. */
const failureOf = (error: unknown, operation: Registered | null, { log }: Context): ApiError => {
  if (error instanceof ApiError) return error;
  const rule = error instanceof DomainError && operation ? fromRule(error, operation) : null;
  if (rule) return rule;
  if (error instanceof GatewayError) {
    log.warn({ err: error, query: operation?.name }, 'payment gateway failed');
    const code = error.outcome === 'refused' ? 'GATEWAY_REFUSED' : 'SERVICE_UNAVAILABLE';
    return commonError(code, { message: error.message });
  }
  if (error instanceof UnavailableError) {
    log.warn({ err: error, query: operation?.name }, 'not available now');
    return unavailableOf(error);
  }
  log.error({ err: error, query: operation?.name }, 'operation failed');
  // Some operations declare a code for values that the database cannot store.
  if (
    operation &&
    Object.hasOwn(operation.errors, 'DB_ERROR') &&
    error instanceof Error &&
    isFromServer(error)
  )
    return declaredError(operation.errors, 'DB_ERROR');
  return commonError('INTERNAL_ERROR');
};

export interface ApiResponse {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
  /** Name of the operation that answered; null when none was found. */
  operation: string | null;
  /** Code of a failure. */
  errorCode: string | null;
  /** The body as it is sent. */
  parts: WrittenJson['parts'];
  /** Reads the caller again, for answers that are sent in parts. */
  callerNow: () => Promise<Caller | null>;
}

export type Dispatch = (request: ApiRequest) => Promise<ApiResponse>;

/** The stages between finding the operation and its handler. */
const admission: readonly Stage[] = [
  checkMethod,
  checkCaller,
  countLimits,
  acceptFile,
  checkBodySize,
  validate,
  confirm,
];

export const toolsOf = ({ config, clock, jobs, storage, gateways }: Context, services: Services): Tools => ({
  ...services,
  config,
  clock,
  jobs,
  storage,
  gateways,
});

/** Statuses of refused calls, whose bodies are not stored. */
const refusals: ReadonlySet<number> = new Set([401, 403, 405, 413, 415, 429]);

const headersOf = ({ headers, tightest }: Call): Record<string, string> => ({
  ...tightest?.headersOf(),
  ...headers,
});

export const createDispatcher = (
  context: Context,
  services: Services,
  registry: Registry,
  naming: Naming = byQuery,
): Dispatch => {
  const tools = toolsOf(context, services);
  const run = runOnceByKey(context, createRun(context));

  const admit = async (call: Call): Promise<Registered> => {
    const name = naming.nameOf(call);
    const named = peek(registry, name);
    assertNoProto(named, call.body);
    call.operation = named;
    if (naming.isUncounted !== true) await countGeneral(call);
    // A user may report a call even if its query name was mistyped.
    if (!call.operation) call.caller = await callerOfToken(call);
    const operation = resolve(registry, call, naming);
    for (const stage of admission) {
      const waiting = stage(operation, call);
      if (waiting) await waiting;
    }
    return operation;
  };

  /**
   * Reads the body; a form with a file is admitted before the file is read, once all other fields are known.
   */
  const receive = async (call: Call): Promise<Registered> => {
    const { body: source } = call.request;
    if (typeof source !== 'function') {
      call.body = { fields: source, text: null, bytes: 0 };
      return admit(call);
    }
    call.body = await source(call, async (body) => {
      call.body = body;
      call.bringsFile = true;
      const operation = await admit(call);
      const { caller } = call;
      if (caller) {
        const leave = await services.uploads.enter(caller.userId, announcedBytes(call));
        // The client may have disconnected meanwhile.
        if (call.isAnswered) leave();
        else call.leaveUpload = leave;
        await callerNow(call);
      }
      await findQuota(operation, call, context.postgres.db);
    });
    if (call.bringsFile && call.operation) return call.operation;
    const operation = await admit(call);
    if (operation.upload)
      await takeUpload(operation, call, { postgres: context.postgres, pieces: services.pieces });
    return operation;
  };

  const answer = async (call: Call, logId: number | null) => {
    try {
      await countAddress(call);
      await identify(call);
      const operation = await receive(call);
      if (call.file) await callerNow(call);
      const { body, replayed } = await run(operation, call, logId);
      for (const handle of call.outcomeHandlers) await handle(true);
      return { status: 200, headers: headersOf(call), body, replayed, errorCode: null };
    } catch (error) {
      for (const handle of call.outcomeHandlers) await handle(false);
      const { operation } = call;
      const failure = failureOf(error, operation, context);
      if (failure.status === 400 && failure.hints.length === 0 && operation && call.data !== null)
        failure.hint ??= refusalHint(operation, call, failure.field) || null;
      const { status, body } = renderFailure(operation?.dialect ?? 'flat', failure, context.config.BASE_URL);
      const headers = { ...headersOf(call), ...failure.headers };
      return { status, headers, body, errorCode: failure.code };
    } finally {
      call.isAnswered = true;
      call.leaveUpload?.();
    }
  };

  return async (request) => {
    const started = performance.now();
    const logId = services.requestLog.nextId();
    const call = newCall(request, { tools, single: context.postgres.single });
    const { replayed, ...answered } = await answer(call, logId);
    const written =
      replayed === undefined ? writeJson(answered.body) : { parts: [replayed], logged: '{"replayed":true}' };
    if (logId !== null) {
      answered.headers['X-SVC-Log-Id'] = String(logId);
      services.requestLog.add({
        id: logId,
        requestId: request.requestId,
        query: call.operation?.name ?? null,
        userId: call.caller?.userId ?? call.accountId,
        developerKeyId: call.key?.id ?? null,
        status: answered.status,
        errorCode: answered.errorCode,
        durationMs: performance.now() - started,
        ip: request.ip,
        headers: request.headers,
        request: loggedFields(call),
        requestBytes: call.body.bytes,
        isBodyKept:
          call.caller !== null && !refusals.has(answered.status) && call.operation?.isBodyLogged !== false,
        response: replayed === undefined ? answered.body : { replayed: true },
        responseText: written.logged,
        isCalculation: call.operation?.isCalculation ?? false,
        createdAt: tools.clock.now(),
      });
    }
    return {
      ...answered,
      operation: call.operation?.name ?? null,
      parts: written.parts,
      callerNow: () => callerNow(call),
    };
  };
};
