import type { BuiltInChecklists } from '#domain/checklists/built-in.ts';
import { createDownloadLinks } from '#data/auth/download-links.ts';
import type { DownloadLinks } from '#data/auth/download-links.ts';
import { createTokens } from '#data/auth/tokens.ts';
import type { Tokens } from '#data/auth/tokens.ts';
import { loadBuiltInChecklists } from '#data/checklists/built-in.ts';
import type { Context } from '#data/context.ts';
import { createWindStore } from '#data/feeds/winds/store.ts';
import type { WindStore } from '#data/feeds/winds/store.ts';
import { createRevisions } from '#data/postgres/revisions.ts';
import type { Revisions } from '#data/postgres/revisions.ts';
import { createOfpParser } from '#data/ofp/parser.ts';
import type { OfpParser } from '#data/ofp/parser.ts';
import { createPlannerClient } from '#data/ofp/planner.ts';
import type { PlannerClient } from '#data/ofp/planner.ts';
import type { SyncResult } from '#data/gateways/sync.ts';
import { syncInline } from './sync-inline.ts';
import { createUploads } from './uploads.ts';
import type { Uploads } from './uploads.ts';
import { createAircraftLibrary } from './aircraft-library.ts';
import type { AircraftLibrary } from './aircraft-library.ts';
import { createCalculations } from './calculations.ts';
import type { Calculations } from './calculations.ts';
import { cachesOf, createCaches } from './caches.ts';
import type { Caches } from './caches.ts';
import { createGuests } from './guests.ts';
import type { Guests } from './guests.ts';
import { createIdentities } from './identities.ts';
import type { Identities } from './identities.ts';
import { createLiveSubscriptions } from './live-subscriptions.ts';
import type { LiveSubscriptions } from './live-subscriptions.ts';
import { createFleets } from './fleets.ts';
import { createRateLimiter } from './rate-limiter.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { createRequestLog } from './request-log.ts';
import type { RequestLog } from './request-log.ts';
import { loadStandardAircraft } from './standard-aircraft.ts';
import { createDrawnSignals } from './drawn-signals.ts';
import type { DrawnSignals } from './drawn-signals.ts';
import { createPieces } from '#data/storage/pieces.ts';
import type { Pieces } from '#data/storage/pieces.ts';
import { uploadFolder } from '../http/uploads.ts';
import { createWaiting } from './waiting.ts';
import type { Waiting } from './waiting.ts';

/** State that the API keeps in memory for its operations, created once per process. */
export interface Services {
  readonly tokens: Tokens;
  readonly caches: Caches;
  readonly revisions: Revisions;
  readonly downloadLinks: DownloadLinks;
  readonly identities: Identities;
  readonly guests: Guests;
  readonly calculations: Calculations;
  readonly rateLimiter: RateLimiter;
  readonly requestLog: RequestLog;
  readonly drawnSignals: DrawnSignals;
  readonly syncOrder: (orderId: number) => Promise<SyncResult>;
  readonly liveSubscriptions: LiveSubscriptions;
  readonly winds: WindStore;
  readonly aircraft: AircraftLibrary;
  readonly builtInChecklists: BuiltInChecklists;
  readonly planner: PlannerClient;
  readonly ofpParser: OfpParser;
  readonly uploads: Uploads;
  readonly pieces: Pieces;
  readonly waiting: Waiting;
  close: () => Promise<void>;
}

export const createServices = async (context: Context): Promise<Services> => {
  const drawnSignals = createDrawnSignals();
  const { db } = context.postgres;
  const winds = createWindStore({ db, log: context.log });
  // Existing winds are available from the first request on.
  await winds.refresh();
  const caches = createCaches(db, () => revisions.isCurrent());
  const dependent: Readonly<Record<string, readonly { clear: () => void }[]>> = cachesOf(caches);
  const revisions = createRevisions({ db, log: context.log }, (name) => {
    for (const cache of dependent[name] ?? []) cache.clear();
    if (name === 'wind') void winds.refresh();
  });
  context.announcements.hear('picture', drawnSignals.announce);
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
    calculations: createCalculations(db),
    rateLimiter,
    requestLog,
    drawnSignals,
    syncOrder: (orderId) => syncInline(context, orderId),
    liveSubscriptions: createLiveSubscriptions(context),
    winds,
    builtInChecklists: await loadBuiltInChecklists(),
    planner: createPlannerClient({ http: context.http, url: context.config.PLANNER_URL }),
    ofpParser,
    uploads: createUploads(),
    pieces: createPieces({ ...context, folder: uploadFolder(context.config) }),
    waiting: createWaiting(context),
    aircraft: createAircraftLibrary({ standard, fleets, db }),
    close: async () => {
      await revisions.close();
      await winds.close();
      await ofpParser.close();
      await requestLog.close();
    },
  };
};
