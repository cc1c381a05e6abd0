/** A real calculation as stored by the API, with a requested picture. */
import { randomUUID } from 'node:crypto';
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { loadProfiles } from '#data/aircraft/profiles.ts';
import { askForPicture } from '#commands/graphics.ts';
import { calculationWrites } from '#store/postgres/performance/calculations.ts';
import type { NewCalculation } from '#store/postgres/performance/calculations.ts';
import { graphicRepo } from '#store/postgres/performance/graphics.ts';
import type { PictureId } from '#store/postgres/performance/graphics.ts';
import type { Tx } from '#store/postgres/sql.ts';
import type { JobProducer } from '#domain/jobs/port.ts';
import { landingRequestSchema } from '#domain/performance/request.ts';
import { checkProfile } from '#perf/check/profile.ts';
import { drawnTakeoffs, drawTakeoff } from '#perf/fixtures/takeoffs.ts';
import { performLanding } from '#perf/wire/landing.ts';
import { drawingFacts } from '#drawing/scenes/landing.ts';

type StoredLanding = Pick<NewCalculation, 'kind' | 'profile' | 'airport' | 'request' | 'result' | 'drawing'>;

const profiles = await loadProfiles(checkProfile);

const profileOf = (file: string): AircraftProfile => {
  const profile = profiles.get(file);
  if (!profile) throw new Error(`no profile ${file}`);
  return profile;
};

/** An A320neo on 3,450 m with four exits; dispatch has one drawing under three names, in flight there are two. */
const landing = (landingMode: 'dispatch' | 'inflight'): StoredLanding => {
  const file = 'A320-251N';
  const profile = profileOf(file);
  const request = landingRequestSchema.parse({
    requestType: 'LANDING',
    landingMode,
    units: { distance: 'meter' },
    aircraft: { file },
    airport: 'EGLL',
    runway: '27L',
    weather: { windDirection: 250, windSpeed: 12, temperature: 12, qnh: 1015 },
    weight: { landingWeight: 62_000 },
  });
  const performed = performLanding({
    request,
    profile,
    runway: {
      ident: '27L',
      ldaM: 3_450,
      lengthM: 3_660,
      elevationFt: 77,
      slopePercent: 0,
      trueBearingDeg: 270,
      widthM: 50,
      exits: [1_200, 1_650, 2_100, 2_700].map((distanceM, i) => ({
        name: `N${i + 1}`,
        distanceM,
        angleDeg: 30,
      })),
      macgPercent: 2.5,
      standardEfp: true,
      efpText: null,
    },
    entitlements: { nnc: true, mel: true, cdl: true, notam: true, balkedLanding: true },
  });
  if (performed.kind !== 'answer') throw new Error(JSON.stringify(performed));
  return {
    kind: landingMode === 'dispatch' ? 'landingDispatch' : 'landingEnroute',
    profile: file,
    airport: 'EGLL',
    request,
    result: performed.answer,
    drawing: drawingFacts(profile, request, performed.outcome, {
      displacedM: 120,
      lengthM: 3_660,
      closed: [],
    }),
  };
};

/** An A320neo from an intersection of a shortened runway, at full and reduced thrust. */
const takeoff = (): StoredLanding => {
  const profile = profileOf('A320-251N');
  const drawn = drawnTakeoffs(profile, 1).at(-1);
  if (!drawn) throw new Error('no takeoff');
  const { request, answer, facts } = drawTakeoff(profile, { distance: 'meter' }, drawn);
  return { kind: 'takeoff', profile: profile.id, airport: 'EDDF', request, result: answer, drawing: facts };
};

export const storedTakeoff = takeoff();
export const inflightLanding = landing('inflight');
export const dispatchLanding = landing('dispatch');

/** Stores a calculation and returns its ids. */
export const insertLanding = async (
  tx: Tx,
  userId: number,
  createdAt: Date,
  stored: StoredLanding = inflightLanding,
  logId: number | null = null,
): Promise<{ id: number; publicId: string }> => {
  const publicId = randomUUID();
  const id = await calculationWrites(tx).insert({ ...stored, publicId, userId, logId, createdAt });
  return { id, publicId };
};

/** True when a job was enqueued. */
export const askPicture = async (
  tx: Tx,
  deps: { jobs: JobProducer<Tx> },
  id: PictureId,
  now: Date,
): Promise<boolean> => {
  const seen = await graphicRepo(tx).picture(id);
  if (!seen) throw new Error('no such picture');
  return askForPicture(tx, deps, { seen, now });
};
