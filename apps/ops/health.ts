/**
 * `node apps/ops/health.ts`: exit code 0 when the process of this container works. A process with HEALTH_FILE must have
 * touched it lately; any other is the API, which answers at /readyz. Only Node's own modules: it runs every few seconds.
 */
import { statSync } from 'node:fs';

/** Four beats of the file. */
const maxAgeMs = 20_000;
const limitMs = 3_000;

const fileProblem = (path: string): string | null => {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return `${path} is not there: the process has not started or is stopping`;
  const ageMs = Date.now() - stats.mtimeMs;
  return ageMs <= maxAgeMs ? null : `${path} was last touched ${Math.round(ageMs / 1000)} s ago`;
};

const apiProblem = async (host: string, port: string): Promise<string | null> => {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const url = `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}/readyz`;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(limitMs) });
    return response.ok ? null : `${url} answered ${response.status}: ${await response.text()}`;
  } catch (error) {
    return `${url} does not answer: ${String(error instanceof Error ? (error.cause ?? error) : error)}`;
  }
};

const { HEALTH_FILE, HOST, PORT } = process.env;
const problem = HEALTH_FILE
  ? fileProblem(HEALTH_FILE)
  : await apiProblem(HOST || '127.0.0.1', PORT || '8080');
if (problem !== null) {
  console.error(problem);
  process.exitCode = 1;
}
