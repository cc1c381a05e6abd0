/** Time limits of the client count the time without progress. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createClient } from '../../clients/typescript/src/index.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A network with so many bytes per second in both directions, and an answer of this many bytes. */
const slowFetch =
  (bytesPerSecond: number, answerBytes: number): typeof fetch =>
  (_, init) => {
    const { promise: cut, reject: give } = Promise.withResolvers<never>();
    init?.signal?.addEventListener('abort', () => give(new TypeError('cut')));
    const sent = typeof init?.body === 'string' ? init.body.length : 8_000_000;
    const answer = async (): Promise<Response> => {
      await vi.advanceTimersByTimeAsync((sent / bytesPerSecond) * 1_000);
      const text = JSON.stringify({ success: true, filling: 'x'.repeat(answerBytes) });
      let at = 0;
      const body = new ReadableStream<Uint8Array>({
        pull: async (stream) => {
          await vi.advanceTimersByTimeAsync(1_000);
          stream.enqueue(new TextEncoder().encode(text.slice(at, at + bytesPerSecond)));
          at += bytesPerSecond;
          if (at >= text.length) stream.close();
        },
      });
      return new Response(body);
    };
    return Promise.race([answer(), cut]);
  };

const efb = (fetchOver: typeof fetch) =>
  createClient({ baseUrl: 'http://efb.example', fetch: fetchOver, retries: 0 });

test('A transfer of 8 MB at 200 kB/s completes in both directions, although it exceeds the time limit', async () => {
  const file = new Blob([new Uint8Array(8_000_000)]);
  const up = efb(slowFetch(200_000, 10)).upload('libraryUpload', {}, file);
  await expect(up).resolves.toMatchObject({ success: true });
  const down = efb(slowFetch(200_000, 8_000_000)).call('airportStatus');
  await expect(down).resolves.toMatchObject({ success: true });
});

test('A call without a byte for the time limit is aborted', async () => {
  const silent: typeof fetch = (_, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(new TypeError('cut')));
    });
  const call = efb(silent).call('airportStatus');
  await Promise.all([
    expect(call).rejects.toMatchObject({ code: 'TIMEOUT' }),
    vi.advanceTimersByTimeAsync(30_100),
  ]);
});
