/**
 * Every operation runs through the stages below, in this order, with or without HTTP. Each stage reads and
 * completes the call; the first failure goes to the renderer. Nothing is read, looked up or run before the
 * preceding stages allow it.
 */
import type { Context } from '#data/context.ts';
import { writeJson } from '#domain/text/json-text.ts';
import { sentParts } from './answers/sent-text.ts';
import type { SentText } from './answers/sent-text.ts';
import { newCall } from './call.ts';
import type { ApiRequest, Call, Stage } from './call.ts';
import type { Tools } from './handler-context.ts';
import { renderFailure } from './dialects.ts';
import type { Registered, Registry } from './registry.ts';
import type { Services } from './services/services.ts';
import { acceptFile, checkLevel, checkMethod } from './stages/admission.ts';
import { authenticate, callerOfToken, identify } from './stages/authenticate.ts';
import { checkBodySize } from './stages/body-size.ts';
import { checkDeveloperKey } from './stages/developer-key.ts';
import { failureOf } from './stages/failure.ts';
import { runOnceByKey } from './stages/idempotency.ts';
import { countAddress, countGeneral, countLimits } from './stages/limits.ts';
import { assertNoProto, loggedFields } from './stages/opaque.ts';
import { byQuery, peek, resolve } from './stages/resolve.ts';
import type { Naming } from './stages/resolve.ts';
import { createRun } from './stages/run.ts';
import { confirm } from './stages/signed.ts';
import { findRoom, takeUpload } from './stages/upload.ts';
import { validate } from './stages/validate.ts';

export interface ApiResponse {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
  /** Name of the operation that answered; null when none was found. */
  operation: string | null;
  /** Code of a failure. */
  errorCode: string | null;
  /** The body as it is sent. */
  sent: SentText;
}

export type Dispatch = (request: ApiRequest) => Promise<ApiResponse>;

/** The stages between finding the operation and its handler. */
const admission: readonly Stage[] = [
  checkMethod,
  authenticate,
  checkDeveloperKey,
  checkLevel,
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
    // A user may report the call with a mistyped name, too.
    if (!call.operation) call.caller = await callerOfToken(call);
    const operation = resolve(registry, call, naming);
    for (const stage of admission) {
      const waiting = stage(operation, call);
      if (waiting) await waiting;
    }
    call.isAdmitted = true;
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
        const leave = await services.uploads.enter(caller.userId);
        // The client may have gone away meanwhile.
        if (call.isAnswered) leave();
        else call.leaveUpload = leave;
      }
      await findRoom(operation, call, context.postgres.db);
    });
    if (call.isAdmitted && call.operation) return call.operation;
    const operation = await admit(call);
    if (operation.upload)
      await takeUpload(operation, call, { db: context.postgres.db, pieces: services.pieces });
    return operation;
  };

  const answer = async (call: Call, logId: number | null) => {
    try {
      await countAddress(call);
      await identify(call);
      const operation = await receive(call);
      const { body, replayed } = await run(operation, call, logId);
      for (const settle of call.settlements) await settle(true);
      return { status: 200, headers: headersOf(call), body, replayed, errorCode: null };
    } catch (error) {
      for (const settle of call.settlements) await settle(false);
      const failure = failureOf(error, call.operation, context);
      const { status, body } = renderFailure(call.operation?.dialect ?? 'flat', failure);
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
    const call = newCall(request, { tools, single: context.postgres.single, limiter: services.rateLimiter });
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
      sent: sentParts(written.parts),
    };
  };
};
