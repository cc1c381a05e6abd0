/**
 * Kills the whole service and its worker process in turn while devices follow the feed by long polling and by
 * streams. Each device must receive the last revision of every row, and no revision twice.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startFaultService } from '../faults/service.ts';
import type { FaultService } from '../faults/service.ts';
import type { Row } from '../support/rows.ts';
import { startListening } from './devices.ts';
import type { Listening } from './devices.ts';

const accounts = 4;
const betweenMs = 300;

const killed = async (service: FaultService, kills: number): Promise<void> => {
  for (let n = 0; n < kills; n += 1) {
    await sleep(betweenMs);
    await service.kill(n % 2 === 0 ? 'api' : 'jobs');
  }
};

export const killsOf = async (kills: number): Promise<Row[]> => {
  const service = await startFaultService();
  let listening: Listening | undefined;
  try {
    const { postgres, url, tokens } = service;
    listening = await startListening(postgres, { urls: [url], tokens, accounts });
    await killed(service, kills);
    return (await listening.end(`${kills} kills of API and workers`)).rows;
  } finally {
    await listening?.stop();
    await service.close();
  }
};
