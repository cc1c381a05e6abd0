/**
 * `npm run demo`: runs the first flight against the running service, or against one that it starts.
 * `npm run demo -- account`: the life of an account. `npm run demo -- subscriptions`: the life of a subscription, against simulated gateways.
 */
import { account } from './account.ts';
import { askedText, didYouMean } from '#platform/command-line.ts';
import { firstFlight } from './first-flight.ts';
import type { Traces } from './first-flight.ts';
import { WrongStepError } from './print.ts';
import { findOrStart } from './service.ts';
import type { Service } from './service.ts';
import { subscriptions } from './subscriptions.ts';

/** Cleans up the demo in a service that was already running; a service started here is deleted completely. */
const removeTraces = async (service: Service, { email, keyId }: Traces): Promise<void> => {
  if (service.startedHere) return;
  if (email !== undefined) await service.ops('user', 'delete', '--email', email);
  if (keyId !== undefined) await service.ops('devkey', 'revoke', '--id', String(keyId));
  console.log('The account of the demo is deleted and its key revoked.');
};

const flight = async (): Promise<void> => {
  const service = await findOrStart();
  console.log(service.startedHere ? `started ${service.url} with simulated sources` : `using ${service.url}`);
  const traces: Traces = {};
  try {
    const hasWeather = await firstFlight(service, traces);
    console.log(`\nAll steps${hasWeather ? '' : ' that need no weather'} passed.`);
  } finally {
    await removeTraces(service, traces);
    await service.stop();
  }
};

const demos: Readonly<Record<string, () => Promise<void>>> = { flight, account, subscriptions };
const usage = `usage: npm run demo [-- ${Object.keys(demos).join('|')}]
  flight         a first landing, against the running service or one that it starts (default)
  account        the life of an account: its email address, its password and its sessions
  subscriptions  the life of a subscription, against simulated payment gateways
  Exit status: 0 every step passed, 1 one did not, 2 usage error.`;
const args = process.argv.slice(2);
const [name = 'flight'] = args;
const asked = askedText(args, () => usage);
const demo = Object.hasOwn(demos, name) ? demos[name] : undefined;
if (asked !== null) console.log(asked);
else if (!demo || args.length > 1) {
  const what = args.join(' ');
  console.error(`There is no demo "${what}".${didYouMean(what, Object.keys(demos))}\n${usage}`);
  process.exitCode = 2;
} else
  try {
    await demo();
  } catch (error) {
    console.error(`\nwrong: ${error instanceof WrongStepError ? error.message : String(error)}`);
    process.exitCode = 1;
  }
