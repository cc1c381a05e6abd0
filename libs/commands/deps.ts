import type { JobProducer } from '#domain/jobs/port.ts';
import type { Gateways } from '#domain/subscriptions/gateway.ts';
import type { Clock } from '#domain/time.ts';
import type { Config } from '#platform/config/config.ts';
import type { Tx } from '#store/postgres/sql.ts';

interface CommandDeps {
  clock: Clock;
  jobs: JobProducer<Tx>;
  gateways: Gateways;
  config: Config;
}

/** Dependencies of a command besides its transaction. */
export type Deps<K extends keyof CommandDeps> = Pick<CommandDeps, K>;
