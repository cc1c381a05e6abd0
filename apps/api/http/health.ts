import type { Context } from '#data/context.ts';
import { serviceReadiness } from '#data/readiness.ts';
import type { Readiness } from '#data/readiness.ts';

/** The limit of health checks is longer, so that they receive the reason. */
const limitMs = 1_500;

/** Ready: not stopping, the database can be used, and the files are those of it. Liveness does not check this (G-39). */
export const readiness = async (context: Context, isStopping: boolean): Promise<Readiness> => {
  if (isStopping) return { ready: false, checks: { process: 'stopping' } };
  const state = await serviceReadiness(context, limitMs);
  if (!state.ready) context.log.warn({ checks: state.checks }, 'not ready');
  return state;
};
