/** One call timed to the last byte of its answer, without the work of the client before and after. */
import { Agent, request } from 'node:http';
import { gunzipSync } from 'node:zlib';

export interface WholeAnswer {
  /** From the first byte of the request to the last one of the answer. */
  ms: number;
  /** Client time to write the request as JSON, and to unpack and parse the answer. */
  clientMs: number;
  body: unknown;
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

const unpacked = (encoding: string | undefined, bytes: Buffer): string =>
  (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString();

const received = (url: string, body: Buffer, headers: Record<string, string>): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const sent = request(
      url,
      { agent, method: 'POST', headers: { ...headers, 'content-length': String(body.length) } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () => {
          if (response.statusCode === 200) resolve(Buffer.concat(chunks));
          else
            reject(
              new Error(
                `${url} answered ${response.statusCode}: ${unpacked(response.headers['content-encoding'], Buffer.concat(chunks)).slice(0, 300)}`,
              ),
            );
        });
      },
    );
    sent.once('error', reject);
    sent.end(body);
  });

/** Compressed, as most clients receive it. Rejects for an answer other than 200. */
export const wholeAnswer = async (
  url: string,
  content: unknown,
  headers: Record<string, string>,
): Promise<WholeAnswer> => {
  const writing = performance.now();
  const body = Buffer.from(JSON.stringify(content));
  const started = performance.now();
  const bytes = await received(url, body, {
    ...headers,
    'content-type': 'application/json',
    'accept-encoding': 'gzip',
  });
  const ended = performance.now();
  const parsed: unknown = JSON.parse(gunzipSync(bytes).toString());
  return { ms: ended - started, clientMs: started - writing + performance.now() - ended, body: parsed };
};
