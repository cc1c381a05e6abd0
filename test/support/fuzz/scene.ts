/** A pilot with an airline, plans, a share, checklists, a fleet, files and a product, for generated calls. */
import sharp from 'sharp';
import { metarWrites, tafWrites } from '#store/postgres/weather/reports.ts';
import { createLogger } from '#platform/log/log.ts';
import { startSimulated } from '../simulated.ts';
import fileDelete from '#workers/jobs/file-delete.ts';
import type { TestApi, TestUser } from '../../api.ts';
import { airline } from '../airlines.ts';
import { importAirports } from '../airports.ts';
import { documentOf, newChecklist } from '../checklists.ts';
import { insertLanding } from '../landing.ts';
import { planDocument } from '../ofp.ts';
import { runSql } from '../sql.ts';
import { subscriptionScene } from '../subscriptions.ts';
import type { Known } from './valid.ts';

export interface FuzzScene {
  api: TestApi;
  owner: TestUser;
  stranger: TestUser;
  devKey: string;
  apiKey: string;
  picture: Buffer;
  /** Existing values for the input of this query. */
  known: (query: string) => Known;
  /** Recreates what calls delete or use up. */
  renew: () => Promise<void>;
  /** Failures that the service has logged since the last call of this function. */
  failures: () => string;
  close: () => Promise<void>;
}

const va = 'Alpha Air';

const reportWeather = ({ postgres, clock }: TestApi['context']): Promise<void> =>
  postgres.transaction(async (tx) => {
    const raw = 'METAR KJFK 161151Z 03012G20KT 10SM -RA BKN030 12/09 A3002';
    const observed = { icao: 'KJFK', observedAt: '2026-09-16T11:51:00.000Z', raw, source: 'AWC' } as const;
    await metarWrites(tx).store([observed], clock.now());
    const times = {
      issuedAt: '2026-09-16T11:20:00.000Z',
      validFrom: '2026-09-16T12:00:00.000Z',
      validTo: '2026-09-17T18:00:00.000Z',
    };
    const forecast = 'TAF KJFK 161120Z 1612/1718 03010KT P6SM BKN030';
    await tafWrites(tx).store([{ icao: 'KJFK', ...times, raw: forecast, source: 'AWC' }], clock.now());
  });

/** `databaseUrl`: a database that the caller drops. */
export const fuzzScene = async (options: { databaseUrl?: string } = {}): Promise<FuzzScene> => {
  const planner = await startSimulated();
  const logged: string[] = [];
  const failing = createLogger('api', 'error', { destination: { write: (line) => void logged.push(line) } });
  const scene = await subscriptionScene(
    { PLANNER_URL: `${planner.origin}/xml.fetcher.php` },
    { ...options, log: failing },
  );
  const { api } = scene;
  const worker = await api.context.queues.createConsumer();
  await worker.consume('durable', [fileDelete.bind(api.context)], 2);
  await importAirports(api.context, ['KJFK', 'KBOS']);
  await reportWeather(api.context);
  const devKey = await api.key();
  const { admin: owner, member: stranger } = await airline(api, va);
  await scene.promo('WELCOME');
  const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#36c' } })
    .png()
    .toBuffer();
  const call = async (query: string, data: unknown, user = owner): Promise<Record<string, unknown>> => {
    const { status, body } = await api.call(query, { token: user.token, devKey, data });
    if (status !== 200) throw new Error(`${query} answered ${JSON.stringify(body)}`);
    return body;
  };

  let ids: Record<string, unknown> = {};
  let round = 0;
  const renew = async (): Promise<void> => {
    round += 1;
    // The limits on changes expire; tokens stay valid for a day.
    api.context.clock.advance(3_600);
    for (const user of [owner, stranger]) {
      const { email, password } = user;
      user.token = String((await api.call('login', { devKey, data: { email, password } })).body['token']);
    }
    // The number of plans is limited to 200.
    await runSql(api.context.postgres)`DELETE FROM ofp WHERE user_id IN (${owner.id}, ${stranger.id})`;
    const plan = await call('ofpImport', {
      source: 'json',
      document: planDocument({ requestId: `9${round}` }),
    });
    const { ofpId } = plan;
    await call('flightDataSave', { ofpId, dataKey: 'fuel', payload: { block: 8_400 } });
    const foreign = await call(
      'ofpImport',
      { source: 'json', document: planDocument({ requestId: `8${round}` }) },
      stranger,
    );
    const { share } = await call('ofpShare', { ofpId });
    const { share: invitation } = await call('ofpShare', { ofpId: foreign['ofpId'] }, stranger);
    await call('fleetSave', {
      registration: 'D-AIZA',
      basedOnProfile: 'A320-214',
      profileData: { weight: { mslw: 64_000 } },
    });
    const folder = await call('libraryFolderCreate', { name: `Folder ${round}` });
    const target = await call('libraryFolderCreate', { name: `Target ${round}` });
    const file = await call('libraryUpload', { url: 'https://vimeo.com/76979871', name: `File ${round}` });
    const community = await newChecklist(api, stranger, { shareCommunity: true });
    const { id: subscriptionId } = await scene.subscribe({ user: owner, product: 'EFB_COMMERCIAL_Y' });
    const paused = await scene.subscribe({ user: owner });
    await call('pauseSubscription', { subscriptionId: paused.id, resumeDate: '2026-10-10' });
    const { postgres, clock } = api.context;
    const landing = await postgres.transaction((tx) => insertLanding(tx, owner.id, clock.now()));
    const log = await api.call('userStatistics', { token: owner.token });
    const meta = share as Record<string, unknown>;
    const offered = invitation as Record<string, unknown>;
    ids = {
      ofpId,
      id: meta['id'],
      shareToken: offered['shareToken'],
      shareCode: offered['shareCode'],
      folderId: (folder['folder'] as { id: string }).id,
      parentId: (target['folder'] as { id: string }).id,
      fileId: file['fileId'],
      checklistId: await newChecklist(api, owner),
      communityId: community,
      subscriptionId,
      paused: paused.id,
      calculationId: landing.publicId,
      logId: Number(log.headers.get('x-svc-log-id')),
    };
  };
  await renew();
  const { apiKey } = (await call('refreshUserData', {}))['user'] as { apiKey?: string };

  /** Values that only some queries need. */
  const special = (query: string): Known => {
    if (query === 'resumeSubscription') return { subscriptionId: [ids['paused']] };
    if (query === 'flightDataRestore') return { version: [1], expectedVersion: [1] };
    if (query === 'flightDataSave')
      return { expectedVersion: [1], lastDownloadedAt: ['2030-01-01T00:00:00Z'] };
    if (query === 'register') return { email: [] };
    if (query === 'weatherBatch') return { icao: [['KJFK', 'KBOS']] };
    if (query === 'checklistBatch') return { checklistIds: [[ids['checklistId']]] };
    if (query === 'fleetBatch') return { registrations: [['D-AIZA']] };
    if (query === 'flightDataBatch') return { plans: [[{ ofpId: ids['ofpId'] }]] };
    return {};
  };
  const known: FuzzScene['known'] = (query) => ({
    ...Object.fromEntries(Object.entries(ids).map(([name, value]) => [name, [value]])),
    checklistId: [ids['checklistId'], ids['communityId'], 'default:1.3.6:a320-family'],
    dataKey: ['fuel'],
    registration: ['D-AIZA'],
    basedOnProfile: ['A320-214'],
    profileData: [{ weight: { mslw: 63_000 } }, {}],
    checklist: [documentOf()],
    vaName: [va],
    icao: ['KJFK'],
    airport: ['KJFK'],
    runway: ['04L'],
    file: ['737-800-7B26'],
    aircraft: ['737-800-7B26'],
    url: ['https://vimeo.com/76979871'],
    productCode: ['EFB_PRO_M'],
    targetPcode: ['EFB_PRO_M'],
    document: [planDocument()],
    email: [stranger.email],
    sharedWithEmail: [stranger.email],
    password: [stranger.password],
    oldPassword: [stranger.password],
    newPassword: [stranger.password],
    timeZone: ['Europe/Berlin'],
    screenshot: [picture.toString('base64')],
    returnUrl: ['https://efb.example/back'],
    code: ['WELCOME'],
    resumeDate: ['2026-10-10'],
    ...special(query),
  });

  return {
    api,
    owner,
    stranger,
    devKey,
    apiKey: apiKey ?? '',
    picture,
    known,
    renew,
    failures: () => logged.splice(0).join(''),
    close: async () => {
      await worker.stop(5_000);
      await scene.close();
      await planner.close();
    },
  };
};
