/** Which crew members have a flight's plan open. */
import { z } from 'zod';
import { initialsOf } from '../checklists/rules.ts';

/** Interval at which clients report presence. */
export const presenceIntervalSeconds = 20;
/** Silence after which a pilot counts as away; long enough for two lost reports. */
export const presenceSeconds = 60;
export const maxRoleLength = 40;

export const presentSchema = z.strictObject({
  userId: z.int(),
  name: z.string().describe("pilot's alias, else initials"),
  role: z.string().nullable(),
  seenAt: z.string(),
  isMe: z.boolean(),
});

export interface Present {
  userId: number;
  alias: string | null;
  firstname: string;
  lastname: string;
  role: string | null;
  seenAt: Date;
}

export const presentView = (present: Present, userId: number): z.input<typeof presentSchema> => ({
  userId: present.userId,
  name: present.alias ?? initialsOf(present.firstname, present.lastname),
  role: present.role,
  seenAt: present.seenAt.toISOString(),
  isMe: present.userId === userId,
});
