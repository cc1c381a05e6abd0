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
 * With `SOURCES=simulated`, runs a simulated server and replaces default source addresses with its own; addresses set
 * by the operator or by a parent process stay. Thus no process reads a real source by accident, however it is started.
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

/** True for an answer from a simulated server, false for a real source that replaces one. */
export const isSimulatedAddress = (config: Pick<Config, 'SOURCES'>, address: string): boolean =>
  config.SOURCES === 'simulated' && address.startsWith('http://127.0.0.1:');
