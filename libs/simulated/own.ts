import { isDeepStrictEqual } from 'node:util';
import type { Config } from '#platform/config/config.ts';
import { variables } from '#platform/config/variables.ts';
import { simulatedVariables, startSimulated } from './server.ts';

export interface WithSources {
  config: Config;
  close: () => Promise<void>;
}

const schemaOf = (name: string) => Object.entries(variables).find(([known]) => known === name)?.[1].schema;

const isDefault = (config: Config, name: string): boolean => {
  const value = Object.entries(config).find(([known]) => known === name)?.[1] as unknown;
  return isDeepStrictEqual(value, schemaOf(name)?.parse(undefined));
};

/**
 * With `SOURCES=simulated`, the configuration with the addresses of a simulated server, which this process then
 * runs, in place of all that have their default; those of the operator or of the parent's server stay. However
 * a process that reads sources is started, none of the real ones is read by accident.
 */
export const withSources = async (config: Config): Promise<WithSources> => {
  const missing = simulatedVariables.filter((name) => isDefault(config, name));
  if (config.SOURCES !== 'simulated' || missing.length === 0)
    return { config, close: () => Promise.resolve() };
  const simulated = await startSimulated();
  const addresses = Object.fromEntries(
    missing.map((name) => [name, schemaOf(name)?.parse(simulated.variables[name])]),
  );
  return { config: Object.freeze({ ...config, ...addresses }), close: simulated.close };
};

/** True for an answer of a simulated server; a real source that replaces one of them is not marked. */
export const isSimulatedAddress = (config: Pick<Config, 'SOURCES'>, address: string): boolean =>
  config.SOURCES === 'simulated' && address.startsWith('http://127.0.0.1:');
