/** Clients that keep working while parts of the service are killed, and record what was acknowledged. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { inflight } from '../api.ts';
import { benchKey } from '../support/accounts.ts';
import type { FaultService } from './service.ts';

export interface Work {
  /** Path of the PNG and landing weight of each acknowledged calculation. */
  calculations: Map<string, { weightKg: number; at: number }>;
  /** Addresses of acknowledged accounts. */
  accounts: string[];
  /** Address and time of each acknowledged password reset. */
  resets: Map<string, number>;
  /** Paths of pictures that were requested, acknowledged or not. */
  pictures: Set<string>;
  /** Answers by status and error code. */
  codes: Map<string, number>;
  stop: () => Promise<void>;
}

interface Answer {
  error?: { code?: string };
  performance?: { graphic?: { factored: { png: string } } };
}

/** Calculations alternate between this many clients. */
const calculators = 3;
const leastWeightKg = 45_000;

/** Starts the clients; each pauses between requests, those that calculate for `pauseMs`. */
export const startWork = ({ url, tokens }: FaultService, pauseMs = 10): Work => {
  const state = { running: true };
  const codes = new Map<string, number>();
  const count = (code: string): void => void codes.set(code, (codes.get(code) ?? 0) + 1);
  /** The body of a 200, else null. */
  const ask = async (
    query: string,
    data: object,
    headers: Record<string, string>,
  ): Promise<Answer | null> => {
    try {
      const response = await fetch(`${url}/api`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ query, data }),
      });
      const answer = (await response.json()) as Answer;
      count([response.status, answer.error?.code].filter(Boolean).join(' '));
      return response.ok ? answer : null;
    } catch {
      // Counted as unanswered: the API was down.
      count('no connection');
      return null;
    }
  };
  const work: Omit<Work, 'stop'> = {
    calculations: new Map(),
    accounts: [],
    resets: new Map(),
    pictures: new Set(),
    codes,
  };
  let weights = 0;
  const calculator = async (n: number) => {
    while (state.running) {
      const weightKg = leastWeightKg + (weights += 1);
      const headers = { authorization: `Bearer ${tokens[n]}` };
      const data = { ...inflight.data, weight: { landingWeight: weightKg } };
      const answer = await ask('performance', data, headers);
      const png = answer?.performance?.graphic?.factored.png.replace(/^https?:\/\/[^/]+/, '');
      if (png !== undefined) work.calculations.set(png, { weightKg, at: performance.now() });
      await sleep(pauseMs);
    }
  };
  const registrar = async () => {
    const headers = { 'x-dev-key': benchKey };
    while (state.running) {
      const email = `${randomUUID()}@faults.example`;
      const person = { email, password: 'correct horse', firstname: 'Faulty', lastname: 'Pilot' };
      if (await ask('register', person, headers)) {
        work.accounts.push(email);
        if (await ask('requestPasswordReset', { email }, headers)) work.resets.set(email, performance.now());
      }
      await sleep(200);
    }
  };
  const viewer = async () => {
    while (state.running) {
      const png = [...work.calculations.keys()].at(-1);
      if (png !== undefined && !work.pictures.has(png)) {
        work.pictures.add(png);
        try {
          const response = await fetch(`${url}${png}`);
          await response.arrayBuffer();
          count(`${response.status}`);
        } catch {
          // Counted; the API itself was not there.
          count('no connection');
        }
      }
      await sleep(150);
    }
  };
  const clients = [registrar(), viewer(), ...Array.from({ length: calculators }, (_, n) => calculator(n))];
  return {
    ...work,
    stop: async () => {
      state.running = false;
      await Promise.all(clients);
    },
  };
};
