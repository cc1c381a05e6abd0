/** Failures of file store and database under the codes of the contract (section 7, fleet). */
import type { Logger } from 'pino';
import { DomainError } from '#domain/errors.ts';

const withCode = (code: string, cause: unknown): DomainError =>
  Object.assign(new DomainError(code), { cause });

const causesOf = (error: unknown): Error[] =>
  error instanceof Error ? [error, ...causesOf(error.cause)] : [];

/** The folder could not be created; any other failure is one of the file. */
const isOfFolder = (error: unknown): boolean =>
  causesOf(error).some((each) => 'syscall' in each && each.syscall === 'mkdir');

/** FS_ERROR, FS_WRITE_ERROR. */
export const asFileError = async <T>(log: Logger, write: () => Promise<T>): Promise<T> => {
  try {
    return await write();
  } catch (error) {
    const code = isOfFolder(error) ? 'FS_ERROR' : 'FS_WRITE_ERROR';
    log.error({ err: error, code }, 'the file of a fleet profile could not be written');
    throw withCode(code, error);
  }
};

/** DB_ERROR for what the server refuses. Without a server, or an answer of it, the common codes say more. */
export const asDatabaseError = async <T>(log: Logger, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    // pg's errors from the server have a severity.
    if (!(error instanceof Error && 'severity' in error)) throw error;
    log.error({ err: error }, 'the row of a fleet profile could not be written');
    throw withCode('DB_ERROR', error);
  }
};
