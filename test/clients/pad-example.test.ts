/** The example app of the guide page "Offline and sync", run as two pads of one pilot. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestApi, TestUser } from '#test/api.ts';
import { documentOf } from '#test/support/checklists.ts';
import { clientScene } from '#test/support/client-scene.ts';
import { planText } from '#test/support/ofp.ts';
import { openPad } from '../../clients/typescript/examples/pad.ts';
import type { Ask, Checklist, Pad } from '../../clients/typescript/examples/pad.ts';
import { createClient } from '../../clients/typescript/src/index.ts';
import { memoryStore } from '../../clients/typescript/src/outbox/index.ts';

let api: TestApi;
let user: TestUser;
let ofpId: string;
const token = () => ({ token: user.token, expires: '2999-01-01T00:00:00Z' });
beforeAll(async () => {
  ({ api, user } = await clientScene());
  const efb = createClient({ baseUrl: api.url, token: token() });
  const now = Date.now();
  const plan = planText({ generatedAt: new Date(now), out: new Date(now + 7_200_000) });
  ({ ofpId } = await efb.upload('ofpImport', { source: 'json' }, new Blob([plan])));
});
afterAll(() => api.close());

/** A device with a network that can be away, and a disk that outlives the app. */
const device = async () => {
  const disk = new Map<string, unknown>();
  const network = { isThere: true, losesAnswers: false, isCursorOld: false };
  const asked: [Checklist | null, Checklist | null][] = [];
  let choice: 'mine' | 'theirs' = 'mine';
  const ask: Ask = (mine, theirs) => {
    asked.push([mine, theirs]);
    return Promise.resolve(choice);
  };
  const start = (): Promise<Pad> => {
    const fetchOver: typeof fetch = async (...given) => {
      if (!network.isThere) throw new TypeError('no network');
      if (network.isCursorOld && JSON.stringify(given[1]?.body).includes('since')) {
        network.isCursorOld = false;
        return Response.json(
          { success: false, error: { code: 'SINCE_TOO_OLD', status: 410, message: 'Old.' } },
          { status: 410 },
        );
      }
      const response = await fetch(...given);
      if (network.losesAnswers) throw new TypeError('The answer is lost.');
      return response;
    };
    const client = createClient({ baseUrl: api.url, token: token(), fetch: fetchOver, retries: 0 });
    return openPad(client, memoryStore(disk), ask);
  };
  return {
    network,
    asked,
    choose: (next: typeof choice) => void (choice = next),
    start,
    pad: await start(),
  };
};

const checklist = (name: string): Checklist => ({ name, document: documentOf() as never });
const names = (pad: Pad): string[] => [...pad.checklists().values()].map(({ name }) => name).toSorted();

test('Two pads that edit offline end in the same state, and their pilot decides checklist conflicts', async () => {
  const [one, other] = [await device(), await device()];
  expect([await one.pad.sync(), await other.pad.sync()]).toEqual([true, true]);
  const row = await one.pad.addChecklist(checklist('Before start'));
  await one.pad.addNote(ofpId, 'Slot 12:40');
  expect([await one.pad.sync(), await other.pad.sync()]).toEqual([true, true]);
  expect([other.pad.notes(ofpId), names(other.pad)]).toEqual([['Slot 12:40'], ['Before start']]);

  // Both are away; one is ended by its system, and its last call has arrived without an answer.
  one.network.losesAnswers = true;
  await one.pad.addNote(ofpId, 'De-iced');
  await one.pad.changeChecklist(row, checklist('Cold start'));
  expect(await one.pad.sync()).toBe(false);
  other.network.isThere = false;
  const [theirRow = ''] = other.pad.checklists().keys();
  await other.pad.addNote(ofpId, 'Gate B7');
  await other.pad.changeChecklist(theirRow, checklist('Hot start'));
  expect(await other.pad.sync()).toBe(false);
  one.network.losesAnswers = false;
  one.pad = await one.start();
  expect(one.pad.notes(ofpId)).toEqual(['Slot 12:40', 'De-iced']);
  expect(await one.pad.sync()).toBe(true);
  other.network.isThere = true;
  other.choose('theirs');
  expect([await other.pad.sync(), await one.pad.sync()]).toEqual([true, true]);
  for (const { pad } of [one, other]) {
    expect(pad.notes(ofpId)).toEqual(['Slot 12:40', 'De-iced', 'Gate B7']);
    expect(names(pad)).toEqual(['Cold start']);
  }
  expect(other.asked.map((pair) => pair.map((each) => each?.name))).toEqual([['Hot start', 'Cold start']]);
});

test('A checklist deleted by the other pad is created again when the pilot keeps it, and an expired cursor starts over', async () => {
  const [one, other] = [await device(), await device()];
  for (const { pad } of [one, other]) await pad.sync();
  const row = await one.pad.addChecklist(checklist('Kept'));
  for (const { pad } of [one, other]) await pad.sync();
  const theirRow = [...other.pad.checklists()].find(([, { name }]) => name === 'Kept')?.[0] ?? '';
  await one.pad.deleteChecklist(row);
  await one.pad.sync();
  await other.pad.changeChecklist(theirRow, checklist('Kept after all'));
  expect(await other.pad.sync()).toBe(true);
  expect(other.asked.map(([, theirs]) => theirs)).toEqual([null]);
  await one.pad.sync();
  expect(names(one.pad)).toEqual(names(other.pad));
  expect(names(one.pad)).toContain('Kept after all');

  other.network.isCursorOld = true;
  await one.pad.deleteChecklist([...one.pad.checklists().keys()][0] ?? '');
  await one.pad.addChecklist(checklist('After a long holiday'));
  for (const { pad } of [one, other]) expect(await pad.sync()).toBe(true);
  expect(names(other.pad)).toEqual(names(one.pad));
});
