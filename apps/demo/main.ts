/** `npm run demo`: runs the first flight against the running service, or against one that it starts. */
import { firstFlight } from './first-flight.ts';
import { WrongStepError } from './print.ts';
import { findOrStart } from './service.ts';

const service = await findOrStart();
console.log(service.startedHere ? `started ${service.url} with simulated sources` : `using ${service.url}`);
try {
  await firstFlight(service);
  console.log('\nAll steps passed.');
} catch (error) {
  console.error(`\nwrong: ${error instanceof WrongStepError ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  await service.stop();
}
