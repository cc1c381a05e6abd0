import { expireAnnouncement } from '#commands/announcements/expire.ts';
import { integer } from './flags.ts';
import { operatorVerb } from './verb.ts';

export const expireAnnouncementVerb = operatorVerb({
  summary: 'Ends an announcement now.',
  flags: { id: integer('Id of the announcement (announcement list).') },
  run: async ({ change, clock }, { id }) => {
    const expiresAt = clock.now();
    await change((tx, trail) => expireAnnouncement(tx, { clock, trail }, { id }));
    return { data: { id, expiresAt }, notice: `Announcement ${id} has ended.` };
  },
});
