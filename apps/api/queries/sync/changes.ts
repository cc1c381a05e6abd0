import { z } from 'zod';
import { listField, optionalTextField } from '#domain/fields/index.ts';
import { syncKinds } from '#domain/sync/change.ts';
import { changesSince, changePageSchema, maxCursorText, maxWaitSeconds, syncErrors } from './common/feed.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'changes',
  spec: ['2.3', '4.2'],
  summary:
    'Changes to the data of the user that clients store since an earlier answer; on request it waits for the next change. Without since, the current position of the feed.',
  errors: { ...syncErrors, INVALID_FIELD: 400 },
  input: z.strictObject({
    since: optionalTextField(maxCursorText),
    wait: z.int('INVALID_FIELD').min(0, 'INVALID_FIELD').max(maxWaitSeconds, 'INVALID_FIELD').nullish(),
    kinds: listField(z.enum(syncKinds, 'INVALID_FIELD'), { max: syncKinds.length }).nullish(),
  }),
  output: changePageSchema,
  example: { kinds: ['flightData', 'ofp'] },
  handler: async ({ input, callerNow, clientAborted, db, clock, waiting }) =>
    changesSince({ db, clock, waiting, callerNow, kinds: input.kinds ?? null }, input.since ?? null, {
      waitMs: (input.wait ?? 0) * 1_000,
      clientAborted,
    }),
});
