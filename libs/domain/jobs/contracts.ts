/** What producers and consumers of each job agree on. */
import { z } from 'zod';
import { graphicNames, rasterFormats } from '../performance/graphic.ts';
import { printFiles } from '../prints/files.ts';
import { defineJob } from './port.ts';

/** One run of a feed. The slot (UTC) identifies the run, so that two schedulers enqueue it once. */
export const feedRun = defineJob({
  name: 'feed.run',
  lane: 'ingest',
  payload: z.object({ feed: z.string().min(1), slot: z.iso.datetime() }),
  attempts: 4,
  backoffSeconds: 5,
  timeoutSeconds: 900,
  dedupeKey: ({ feed, slot }) => `${feed}@${slot}`,
  keepFailedDays: 7,
});

/** Deletes the files of rows deleted in the enqueuing transaction. */
export const fileDelete = defineJob({
  name: 'file.delete',
  lane: 'durable',
  payload: z.object({ keys: z.array(z.string()).max(500) }),
  attempts: 12,
  backoffSeconds: 2,
  timeoutSeconds: 300,
  keepFailedDays: 14,
});

/** An order is tried inline after its commit; the job starts later, in case that failed. */
export const inlineSeconds = 30;

/**
 * Sends one row of `gateway_order` to its gateway. Retries span about 17 hours; after that the nightly run continues.
 */
export const gatewaySync = defineJob({
  name: 'gateway.sync',
  lane: 'durable',
  payload: z.object({ orderId: z.int().positive() }),
  attempts: 12,
  backoffSeconds: 15,
  timeoutSeconds: 90,
  keepFailedDays: 14,
});

/** The intervals of `sweep.graphics`. */
export const pictureRequeue = { everySeconds: 15, lostAfterSeconds: 5 } as const;

/** Draws a requested PNG or JPG of a calculation. SVG needs no job, since it is rendered from the row. */
export const graphicRender = defineJob({
  name: 'graphic.render',
  lane: 'compute',
  payload: z.object({
    publicId: z.uuid(),
    name: z.enum(graphicNames),
    format: z.enum(rasterFormats),
  }),
  attempts: 5,
  backoffSeconds: 1,
  timeoutSeconds: 60,
  keepFailedDays: 7,
  requeue: pictureRequeue,
});

/** Sends one row of `outgoing_mail`. */
export const mailSend = defineJob({
  name: 'mail.send',
  lane: 'durable',
  payload: z.object({ mailId: z.int().positive() }),
  attempts: 12,
  backoffSeconds: 1,
  // A mail server may take 10 minutes to accept the data (RFC 5321, 4.5.3.2.6).
  timeoutSeconds: 660,
  dedupeKey: ({ mailId }) => String(mailId),
  keepFailedDays: 14,
});

/**
 * Maximum copies sent to a server that never answers, all with the same Message-ID; only an operator's retry sends
 * more.
 */
export const unansweredLimit = 3;

/** Handles one row of `password_reset_request`: mails a link, or does nothing without such an account. */
export const passwordReset = defineJob({
  name: 'password.reset',
  lane: 'durable',
  payload: z.object({ requestId: z.int().positive() }),
  attempts: 8,
  backoffSeconds: 1,
  timeoutSeconds: 30,
  dedupeKey: ({ requestId }) => String(requestId),
  keepFailedDays: 2,
});

/** Draws one file of a print while its request waits. */
export const printDraw = defineJob({
  name: 'print.draw',
  lane: 'durable',
  payload: z.object({ printId: z.uuid(), file: z.enum(printFiles) }),
  attempts: 3,
  backoffSeconds: 1,
  timeoutSeconds: 60,
  keepFailedDays: 7,
});

/** Applies one row of `gateway_event`. */
export const webhookApply = defineJob({
  name: 'webhook.apply',
  lane: 'durable',
  payload: z.object({ eventId: z.int().positive() }),
  attempts: 12,
  backoffSeconds: 2,
  timeoutSeconds: 60,
  keepFailedDays: 30,
});
