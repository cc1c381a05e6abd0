import type { Clock } from '#domain/time.ts';
import type { Config } from '#platform/config/config.ts';
import type { Http } from '#platform/http.ts';

/** What a gateway is made of. */
export interface GatewayParts {
  config: Config;
  http: Http;
  clock: Clock;
}
