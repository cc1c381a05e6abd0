import { EfbError } from '../../clients/typescript/src/index.ts';

/** Code and status of a failure. */
export const failure = async (call: Promise<unknown>): Promise<[string, number]> => {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof EfbError))
    throw new Error('the call did not fail with an EfbError', { cause: error });
  return [error.code, error.status];
};
