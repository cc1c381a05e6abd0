/** Probes an address at fixed times, from an otherwise idle process. */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const [url = '', everyMs = '20'] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const latenciesMs: number[] = [];
let failures = 0;
let isStopped = false;

const ask = (): Promise<boolean> =>
  new Promise((resolve) => {
    const asked = request(url, { agent }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode === 200));
      response.once('error', () => resolve(false));
    });
    asked.once('error', () => resolve(false));
    asked.end();
  });

process.once('message', () => {
  isStopped = true;
});
await ask();
process.send?.('started');
// Measured from the due time, so that a server that stalls for a second shows in fifty probes instead of one.
for (let due = performance.now(); !isStopped; due += Number(everyMs)) {
  await sleep(Math.max(0, due - performance.now()));
  if (!(await ask())) failures += 1;
  latenciesMs.push(performance.now() - due);
}
process.send?.({ latenciesMs, failures });
process.disconnect();
agent.destroy();
