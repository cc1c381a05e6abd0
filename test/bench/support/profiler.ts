/** Loaded into a benchmarked process before its own code: profiles its thread between two messages. */
import { Session } from 'node:inspector/promises';

let session: Session | null = null;

const begin = async () => {
  session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 250 });
  await session.post('Profiler.start');
  process.send?.({ profiling: true });
};

const end = async () => {
  const taken = await session?.post('Profiler.stop');
  session?.disconnect();
  process.send?.({ profile: taken?.profile });
};

process.on('message', (message) => {
  if (message === 'profile') void begin();
  if (message === 'profiled') void end();
});
process.channel?.unref();
