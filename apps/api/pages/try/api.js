/**
 * The public API, called with the token that the page gets for its visitors.
 * @typedef {import('../../../../clients/typescript/src/generated/queries.ts').Queries} Queries
 * @typedef {Queries['performance']['output']} Output
 * @typedef {NonNullable<Exclude<Output, { subCalculation: 'TAKEOFF' }>['performance']>} Landing
 * @typedef {NonNullable<Extract<Output, { subCalculation: 'TAKEOFF' }>['performance']>} Takeoff
 * @typedef {Exclude<Output, { subCalculation: 'TAKEOFF' }> & { performance: Landing }} PossibleLanding
 * @typedef {Extract<Output, { subCalculation: 'TAKEOFF' }> & { performance: Takeoff }} PossibleTakeoff
 * @typedef {PossibleLanding | PossibleTakeoff} Possible
 * @typedef {NonNullable<Takeoff['full']>} Thrust
 */

/** @type {{ token: string, untilMs: number } | null} */
let session = null;

/** A call that failed: sentences for the visitor, each with the wire name of its field where there is one. */
export class CallError extends Error {
  constructor(code, problems) {
    super(problems.map(({ text }) => text).join(' '));
    this.name = 'CallError';
    this.code = code;
    this.problems = problems;
  }
}

const plain = {
  RATE_LIMITED: (wait) =>
    `Too many calculations from your network. Try again ${wait ? `in ${Math.ceil(wait / 60)} min` : 'later'}.`,
  CALCULATION_LIMIT_REACHED: (_, { availableAt }) =>
    `The calculations that this service allows its visitors in a day are used up. ${
      availableAt
        ? `The next is possible at ${availableAt.slice(11, 16)} UTC.`
        : 'Its operator can allow more.'
    }`,
  AIRPORT_NOT_ALLOWED: () => 'The demo account of this service does not include this airport.',
  AIRPORT_NOT_FOUND: () => 'There is no airport with this code here.',
  RUNWAY_CLOSED: () => 'This runway is closed by NOTAM.',
  SERVICE_UNAVAILABLE: () => 'The service is busy or starting. Try again in a moment.',
};

/** The three forms of an error (object, list, text) as one problem. */
const problemOf = (body, response) => {
  const error = body.error ?? body.Error?.[0] ?? {};
  const code = error.code ?? `HTTP_${response.status}`;
  const text =
    plain[code]?.(Number(response.headers.get('Retry-After')), body) ?? error.message ?? String(error);
  const details = Array.isArray(error.details) ? error.details : [];
  const named = details.map((line) => {
    const [, field, rest] = /^([\w.]+): (.*)$/.exec(line) ?? [null, null, line];
    return { field, text: rest };
  });
  return new CallError(code, named.length > 0 ? named : [{ field: null, text }]);
};

/** Fetches JSON from this service; throws `CallError`. */
export const read = async (path, options) => {
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new CallError('NO_NETWORK', [{ field: null, text: 'The service cannot be reached.' }]);
  }
  const body = await response.json();
  if (!response.ok) throw problemOf(body, response);
  return body;
};

const tokenOf = async () => {
  if (session && session.untilMs >= Date.now()) return session.token;
  const { token, expiresIn } = await read('/try/token');
  session = { token, untilMs: Date.now() + (expiresIn - 60) * 1_000 };
  return token;
};

const send = async (query, data) =>
  read('/api', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${await tokenOf()}` },
    body: JSON.stringify({ query, data }),
  });

/**
 * Calls a query. Throws `CallError`. A token that ended early, with a new secret of the service, is replaced once.
 * @template {keyof Queries} Q
 * @param {Q} query
 * @returns {Promise<Queries[Q]['output']>}
 */
export const call = async (query, data) => {
  try {
    return await send(query, data);
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== 'AUTH_REQUIRED') throw error;
    session = null;
    return send(query, data);
  }
};
