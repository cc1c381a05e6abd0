/** Loaded first in a worker: from then on, modules get the cached Argon2. */
import { registerHooks } from 'node:module';

const cached = new URL('argon2.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@node-rs/argon2' && context.parentURL !== cached
      ? { url: cached, shortCircuit: true }
      : next(specifier, context),
});
