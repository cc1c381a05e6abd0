/** A process that keeps saving a fleet profile until it is killed; reports its first save. */
import { readConfig } from '#platform/config/config.ts';
import { createContext } from '#data/context.ts';
import { saveFleetProfile } from '#api/queries/fleet/common/save.ts';
import { createServices } from '#api/services/services.ts';

const context = await createContext(
  readConfig({
    ...process.env,
    JWT_SECRET: 'test-key-0123456789-0123456789-0123456789',
    SAFETY_CODE: 'x'.repeat(24),
  }),
  'test',
);
const { aircraft } = await createServices(context);
const { postgres } = context;
const call = {
  ...context,
  log: () => context.log,
  db: postgres.db,
  prepare: postgres,
  transaction: postgres.transaction,
  aircraft,
  permit: () => Promise.resolve(),
  quota: null,
  created: null,
};
// Higher than those of an earlier process.
const first = 64_001 + (Date.now() % 1_000);
for (let mslw = first; ; mslw += 1) {
  await saveFleetProfile(
    call,
    { userId: Number(process.argv[2]) },
    {
      registration: 'KILLED',
      basedOnProfile: 'A320-214',
      profileData: { weight: { mslw: 64_000 + (mslw % 1_900) + 1 } },
      flightSim: String(64_000 + (mslw % 1_900) + 1),
      addon: null,
      isShared: false,
      variant: null,
      engines: null,
      engineTimeLimitS: null,
    },
  );
  if (mslw === first) process.send?.('saving');
}
