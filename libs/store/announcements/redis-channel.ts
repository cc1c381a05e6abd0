import type { Logger } from 'pino';
import { connectRedis, redisAnswerMs, within } from '../queue/redis.ts';
import type { Channel } from './announcements.ts';

const channelName = 'efb:announced';

/** Announcements by PUBLISH, which do not load the database. */
export const overRedis = (url: string, log: Logger): Channel => {
  const publisher = connectRedis(url, log, 'producer');
  return {
    send: (text) => within(redisAnswerMs, publisher.publish(channelName, text)),
    listen: (onText) => {
      const subscriber = connectRedis(url, log, 'worker');
      subscriber.on('message', (_channel, text) => onText(text));
      // ioredis subscribes again by itself after reconnecting.
      subscriber.subscribe(channelName).catch((error: unknown) => {
        log.debug({ err: error }, 'announcements are not heard');
      });
      return () => Promise.resolve(subscriber.disconnect());
    },
    close: () => Promise.resolve(publisher.disconnect()),
  };
};
