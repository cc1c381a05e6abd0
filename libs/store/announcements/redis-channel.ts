import type { Logger } from 'pino';
import { connectRedis, redisAnswerMs, within } from '../queue/redis.ts';
import type { Channel } from './announcements.ts';

const channelName = 'efb:announced';

/** Announcements by PUBLISH: none of them reaches the database. */
export const overRedis = (url: string, log: Logger): Channel => {
  const publisher = connectRedis(url, log, 'producer');
  return {
    send: (text) => within(redisAnswerMs, publisher.publish(channelName, text)),
    listen: (onText) => {
      const subscriber = connectRedis(url, log, 'worker');
      subscriber.on('message', (_channel, text) => onText(text));
      // It subscribes again by itself when the connection is back.
      subscriber.subscribe(channelName).catch((error: unknown) => {
        log.debug({ err: error }, 'announcements are not heard');
      });
      return () => Promise.resolve(subscriber.disconnect());
    },
    close: () => Promise.resolve(publisher.disconnect()),
  };
};
