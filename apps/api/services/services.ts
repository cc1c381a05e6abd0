import { createDownloadLinks } from '#store/auth/download-links.ts';
import { createTokens } from '#store/auth/tokens.ts';
import { loadBuiltInChecklists } from '#data/checklists/built-in.ts';
import type { Context } from '#data/context.ts';
import { createWindStore } from '#data/feeds/winds/store.ts';
import { createRevisions } from '#store/postgres/revisions.ts';
import { createOfpParser } from '#data/ofp/parser.ts';
import { createPlannerClient } from '#data/ofp/planner.ts';
import { syncOrder } from '#commands/subscriptions/sync-order.ts';
import type { SyncResult } from '#commands/subscriptions/sync-order.ts';
import { createPieces, uploadFolder } from '#store/storage/pieces.ts';
import { bytesPerMb } from '#domain/library/space.ts';
import { createAccountTurns } from './uploads.ts';
import { createAircraftLibrary } from './aircraft-library.ts';
import { cachesOf, createCaches } from './caches.ts';
import { createGuests } from './guests.ts';
import { createIdentities } from './identities.ts';
import { createLiveSubscriptions } from './live-subscriptions.ts';
import { createFleets } from './fleets.ts';
import { createRateLimiter } from './rate-limiter.ts';
import { createRequestLog } from './request-log.ts';
import { loadStandardAircraft } from './standard-aircraft.ts';
import { createWaiting } from './waiting.ts';

/** Files that an account may send or assemble at the same time, together no larger than the maximum for one. */
const maxFiles = 2;

/** The caller waits for this attempt; the job has more time. */
const syncTimeoutMs = 4_000;

/** One attempt before the answer. The job repeats it after any failure, so nothing is thrown. */
export const syncInline = async (context: Context, orderId: number): Promise<SyncResult> => {
  try {
    return await syncOrder(context, orderId, { timeoutMs: syncTimeoutMs });
  } catch (error) {
    context.log.warn({ err: error, orderId }, 'gateway order could not be tried');
    return { state: 'failed', reason: 'The gateway could not be called.' };
  }
};

/** The API's in-memory state, created once per process. */
export const createServices = async (context: Context) => {
  const { db } = context.postgres;
  const winds = createWindStore({ db, log: context.log });
  // Makes stored winds available to the first request.
  await winds.refresh();
  const caches = createCaches(db, () => revisions.isCurrent());
  const dependent: Readonly<Record<string, readonly { clear: () => void }[]>> = cachesOf(caches);
  const revisions = createRevisions({ db, log: context.log }, (name) => {
    for (const cache of dependent[name] ?? []) cache.clear();
    if (name === 'wind') void winds.refresh();
  });
  const standard = await loadStandardAircraft();
  const fleets = createFleets(standard, context.storage, context.log);
  const rateLimiter = createRateLimiter(context);
  const ofpParser = createOfpParser();
  const requestLog = await createRequestLog(context);
  const tokens = createTokens(context.config, context.clock);
  const identities = createIdentities(context, revisions);
  return {
    tokens,
    downloadLinks: createDownloadLinks(context.config, context.clock),
    caches,
    revisions,
    identities,
    guests: createGuests(context, { identities, tokens }),
    rateLimiter,
    requestLog,
    syncOrder: (orderId: number) => syncInline(context, orderId),
    liveSubscriptions: createLiveSubscriptions(context),
    winds,
    builtInChecklists: await loadBuiltInChecklists(),
    planner: createPlannerClient({ http: context.http, url: context.config.PLANNER_URL }),
    ofpParser,
    uploads: createAccountTurns(maxFiles, context.config.LIBRARY_MAX_UPLOAD_MB * bytesPerMb),
    pieces: createPieces({ ...context, folder: uploadFolder(context.config) }),
    waiting: createWaiting(context),
    aircraft: createAircraftLibrary(standard, fleets, db),
    close: async () => {
      await revisions.close();
      await winds.close();
      await ofpParser.close();
      await requestLog.close();
    },
  };
};

export type Services = Awaited<ReturnType<typeof createServices>>;
