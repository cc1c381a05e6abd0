import { createTokens } from '#data/auth/tokens.ts';
import type { Tokens } from '#data/auth/tokens.ts';
import type { Context } from '#data/context.ts';
import { graphicDrawnChannel } from '#data/postgres/graphic-repo.ts';
import { createListener } from '#data/postgres/listen.ts';
import { createIdentities } from './guards/identities.ts';
import type { Identities } from './guards/identities.ts';
import { createRateLimiter } from './guards/rate-limit.ts';
import type { RateLimiter } from './guards/rate-limit.ts';
import { createRequestLog } from './request-log.ts';
import type { RequestLog } from './request-log.ts';
import { createDrawnSignals } from './web/graphics.ts';
import type { DrawnSignals } from './web/graphics.ts';

/** What the API keeps in memory for its operations, built once per process. */
export interface Services {
  readonly tokens: Tokens;
  readonly identities: Identities;
  readonly rateLimiter: RateLimiter;
  readonly requestLog: RequestLog;
  readonly drawnSignals: DrawnSignals;
  close(): Promise<void>;
}

export const createServices = async (context: Context): Promise<Services> => {
  const drawnSignals = createDrawnSignals();
  const channels = {
    identity_changed: () => identities.forget(),
    [graphicDrawnChannel]: drawnSignals.announce,
  };
  const listener = createListener(
    context.config.DATABASE_URL,
    channels,
    () => identities.forget(),
    context.log,
  );
  const identities = createIdentities(context, listener.isConnected);
  const rateLimiter = createRateLimiter(context);
  const requestLog = await createRequestLog(context);
  return {
    tokens: createTokens(context.config, context.clock),
    identities,
    rateLimiter,
    requestLog,
    drawnSignals,
    close: async () => {
      await listener.close();
      await rateLimiter.close();
      await requestLog.close();
    },
  };
};
