import { createTokens } from '#data/auth/tokens.ts';
import type { Tokens } from '#data/auth/tokens.ts';
import type { Context } from '#data/context.ts';
import { createWindStore } from '#data/feeds/winds/store.ts';
import type { WindStore } from '#data/feeds/winds/store.ts';
import { graphicDrawnChannel } from '#data/postgres/performance/graphics.ts';
import { createListener } from '#data/postgres/listen.ts';
import { windChannel } from '#data/postgres/winds/cycles.ts';
import { loadAircraftLibrary } from './aircraft-library.ts';
import type { AircraftLibrary } from './aircraft-library.ts';
import { createIdentities } from './identities.ts';
import type { Identities } from './identities.ts';
import { createRateLimiter } from './rate-limiter.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { createRequestLog } from './request-log.ts';
import type { RequestLog } from './request-log.ts';
import { createDrawnSignals } from './drawn-signals.ts';
import type { DrawnSignals } from './drawn-signals.ts';

/** What the API keeps in memory for its operations, built once per process. */
export interface Services {
  readonly tokens: Tokens;
  readonly identities: Identities;
  readonly rateLimiter: RateLimiter;
  readonly requestLog: RequestLog;
  readonly drawnSignals: DrawnSignals;
  readonly winds: WindStore;
  readonly aircraft: AircraftLibrary;
  close: () => Promise<void>;
}

export const createServices = async (context: Context): Promise<Services> => {
  const drawnSignals = createDrawnSignals();
  const winds = createWindStore({ db: context.postgres.db, log: context.log });
  // Winds that are there already are served from the first request on.
  await winds.refresh();
  const channels = {
    identity_changed: () => identities.forget(),
    [graphicDrawnChannel]: drawnSignals.announce,
    [windChannel]: () => void winds.refresh(),
  };
  const listener = createListener(
    context.config.DATABASE_URL,
    channels,
    () => {
      identities.forget();
      void winds.refresh();
    },
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
    winds,
    aircraft: await loadAircraftLibrary(),
    close: async () => {
      await listener.close();
      await winds.close();
      await rateLimiter.close();
      await requestLog.close();
    },
  };
};
