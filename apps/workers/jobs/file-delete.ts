import { fileDelete } from '#domain/jobs/contracts.ts';
import { handle } from '../worker-job.ts';

export default handle(fileDelete, async ({ payload, ctx: { storage } }) => {
  for (const key of payload.keys) await storage.delete(key);
});
