/**
 * `node apps/ops/health.ts`: exit code 0 if the process of this container works. With HEALTH_FILE, that file must have
 * been touched recently; without it, the API must answer at /readyz. It runs every few seconds, so it loads no packages.
 */
import { statSync } from 'node:fs';

/** The file is touched every 5 s; this allows for three missed times. */
const maxAgeMs = 20_000;
const limitMs = 3_000;

const fileProblem = (path: string): string | null => {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return `${path} does not exist: the process has not started or is stopping`;
  // A time in the future is from before the clock went back; a live process replaces it within one interval.
  const ageMs = Date.now() - stats.mtimeMs;
  if (Math.abs(ageMs) <= maxAgeMs) return null;
  const seconds = Math.round(Math.abs(ageMs) / 1000);
  return `${path} was last touched ${seconds} s ${ageMs > 0 ? 'ago' : 'in the future'}`;
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
