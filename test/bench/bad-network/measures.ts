/** Cost for a pad to learn that nothing has changed, and to read an account for the first time. */
import type { Postgres } from '#store/postgres/pool.ts';
import { sql } from '#store/postgres/sql.ts';
import { documentOf } from '#test/support/checklists.ts';
import { createClient } from '../../../clients/typescript/src/index.ts';
import { memoryStore } from '../../../clients/typescript/src/outbox/index.ts';
import { check } from '../support/rows.ts';
import type { Row } from '../support/rows.ts';
import { openPad } from './pad.ts';
import { plansOf } from './pilots.ts';
import type { Pilot } from './pilots.ts';

const account = { plans: 30, checklists: 25, profiles: 20, sections: 3 };
const bars = { calls: 1, bytes: 1_000, firstMs: 3_000 };

/** `url` has the default limits, `fillUrl` none, so that filling the account uses up none of them. */
export const measureSync = async (
  {
    url,
    fillUrl,
    devKey,
    postgres,
  }: { url: string; fillUrl: string; devKey: string; postgres: Pick<Postgres, 'single'> },
  pilot: Pilot,
): Promise<Row[]> => {
  const options = { devKey, token: { token: pilot.token, expires: '2999-01-01T00:00:00Z' } };
  const efb = createClient({ baseUrl: fillUrl, ...options });
  const plans = await plansOf({ url: fillUrl, devKey }, pilot, account.plans);
  for (const ofpId of plans)
    for (let n = 0; n < account.sections; n += 1)
      await efb.call('flightDataSave', { ofpId, dataKey: `k${n}`, payload: [`mark ${n}`] });
  for (let n = 0; n < account.checklists; n += 1)
    await efb.call('checklistSave', { name: `Checklist ${n}`, checklist: documentOf() as never });
  for (let n = 0; n < account.profiles; n += 1)
    await efb.call('fleetSave', {
      registration: `D-B${n}`,
      basedOnProfile: 'A320-214',
      profileData: { weight: { mslw: 64_500 } },
    });

  await postgres.single((tx) => tx.run(sql`DELETE FROM rate_limit`));
  let calls = 0;
  let bytes = 0;
  const counting: typeof fetch = async (...given) => {
    const response = await fetch(...given);
    const text = await response.text();
    calls += 1;
    bytes += Buffer.byteLength(text) + Buffer.byteLength((given[1]?.body as string | undefined) ?? '');
    return new Response(text, response);
  };
  const config = { name: 'new', seed: 'new', edits: 0, plans, ownPlans: plans };
  const pad = await openPad(
    createClient({ baseUrl: url, ...options, fetch: counting }),
    memoryStore(),
    config,
  );
  const started = performance.now();
  await pad.pull();
  const firstMs = performance.now() - started;
  const rows = pad.dump().rows.length;
  const wanted = account.plans * account.sections + account.checklists + account.profiles;
  const first = `${firstMs.toFixed(0)} ms, ${calls} calls, ${(bytes / 1_000).toFixed(0)} kB, ${rows} rows`;
  [calls, bytes] = [0, 0];
  await pad.pull();
  return [
    check(
      `first sync of ${account.plans} plans, ${account.checklists} checklists, ${account.profiles} profiles`,
      firstMs < bars.firstMs && rows >= wanted,
      first,
      `< ${bars.firstMs} ms, all rows`,
    ),
    check(
      'sync when nothing has changed',
      calls === bars.calls && bytes < bars.bytes,
      `${calls} calls, ${bytes} bytes up and down`,
      `${bars.calls} call, < ${bars.bytes} bytes`,
    ),
  ];
};
