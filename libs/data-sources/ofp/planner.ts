/** SimBrief's public fetch: the latest plan of a user, or the plan with a static id. */
import { maxOfpBytes } from '#domain/ofp/import-request.ts';
import type { PlannerSelector } from '#domain/ofp/import-request.ts';
import { openAnswer } from '#platform/http.ts';
import type { Http, OpenAnswer } from '#platform/http.ts';

/** SimBrief did not answer in time, could not be reached, or sent something unusable. */
export class PlannerError extends Error {
  override name = 'PlannerError';
  /** An immediate retry may succeed. */
  readonly isPassing: boolean;
  constructor(message: string, { isPassing, cause }: { isPassing: boolean; cause?: unknown }) {
    super(message, { cause });
    this.isPassing = isPassing;
  }
}

interface PlannerClient {
  /** One GET, repeated once after a temporary failure, within 10 s in total. Rejects with `PlannerError`. */
  fetch: (selector: PlannerSelector) => Promise<Buffer>;
}

interface PlannerOptions {
  http: Http;
  /** Configured URL; request values never become part of a host or path. */
  url: string;
}

const addressOf = (base: string, { userId, username, staticId }: PlannerSelector): string => {
  const url = new URL(base);
  if (userId !== null) url.searchParams.set('userid', String(userId));
  else url.searchParams.set('username', username ?? '');
  if (staticId !== null) url.searchParams.set('static_id', staticId);
  url.searchParams.set('json', 'v2');
  return url.href;
};

/** Reads to the end, but fails as soon as the unpacked size exceeds the limit. */
const readAll = async (stream: AsyncIterable<Buffer>): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let received = 0;
  for await (const chunk of stream) {
    received += chunk.length;
    if (received > maxOfpBytes)
      throw new PlannerError(`it sends more than ${maxOfpBytes} bytes`, { isPassing: false });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const totalMs = 10_000;
const attemptMs = 8_000;

export const createPlannerClient = ({ http, url }: PlannerOptions): PlannerClient => {
  const attempt = async (address: string, signal: AbortSignal): Promise<Buffer> => {
    let answer: OpenAnswer | undefined;
    try {
      answer = await openAnswer(http, address, {
        timeout: { lookup: 2_000, connect: 3_000, request: attemptMs },
        signal,
      });
      const { stream, response } = answer;
      const { statusCode } = response;
      // The body of a 400 answer states why there is no plan.
      if (statusCode !== 200 && statusCode !== 400)
        throw new PlannerError(`it answered with status ${statusCode}`, { isPassing: statusCode >= 500 });
      return await readAll(stream as AsyncIterable<Buffer>);
    } catch (error) {
      if (error instanceof PlannerError) throw error;
      throw new PlannerError(error instanceof Error ? error.message : String(error), {
        isPassing: true,
        cause: error,
      });
    } finally {
      answer?.stream.destroy();
    }
  };

  return {
    fetch: async (selector) => {
      const address = addressOf(url, selector);
      const signal = AbortSignal.timeout(totalMs);
      try {
        return await attempt(address, signal);
      } catch (error) {
        if (!(error instanceof PlannerError) || !error.isPassing) throw error;
        return attempt(address, signal);
      }
    },
  };
};
