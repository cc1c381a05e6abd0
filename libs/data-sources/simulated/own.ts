import type { Config } from '../config.ts';
import { simulatedVariables, startSimulated } from './server.ts';

export interface WithSources {
  config: Config;
  close: () => Promise<void>;
}

/**
 * With `SOURCES=simulated`, the configuration with the addresses of a simulated server, which this process then
 * runs; addresses that the environment sets, the operator's or those of the supervisor's server, stay. However a
 * process that reads sources is started, none of them is read by accident.
 */
export const withSources = async (
  config: Config,
  env: Record<string, string | undefined> = process.env,
): Promise<WithSources> => {
  const missing = simulatedVariables.filter((name) => !env[name]);
  if (config.SOURCES !== 'simulated' || missing.length === 0)
    return { config, close: () => Promise.resolve() };
  const simulated = await startSimulated();
  const addresses = Object.fromEntries(missing.map((name) => [name, simulated.variables[name]]));
  return { config: Object.freeze({ ...config, ...addresses }), close: simulated.close };
};

/** True for an answer of a simulated server; a real source that replaces one of them is not marked. */
export const isSimulatedAddress = (config: Pick<Config, 'SOURCES'>, address: string): boolean =>
  config.SOURCES === 'simulated' && address.startsWith('http://127.0.0.1:');
