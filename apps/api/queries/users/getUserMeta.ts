import { z } from 'zod';
import { ranks } from '#domain/users/fields.ts';
import { vaView, vaViewShape } from '#domain/virtual-airlines/virtual-airline.ts';
import { vaRepo } from '#store/postgres/virtual-airlines/virtual-airlines.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'getUserMeta',
  spec: ['2.7', '4.6'],
  summary: 'Ranks and virtual airlines to choose from.',
  devKey: { userInfo: 'any' },
  output: z.strictObject({ ranks: z.array(z.enum(ranks)), ...vaViewShape }),
  handler: async ({ caller, db, config }) => {
    const airlines = await vaRepo(db).partnersAnd(caller.vaIds);
    const { virtual_airline: _legacy, ...view } = vaView(
      airlines,
      caller.vaIds,
      caller.activeVaId,
      config.BASE_URL,
    );
    return { ranks: [...ranks], ...view };
  },
});
