import type { Stage } from '../call.ts';
import { declaredError } from '../errors.ts';

/** Throws UNEXPECTED_FILE when the operation declares no upload. For calls with a file. */
export const acceptFile: Stage = ({ upload, errors }, call) => {
  if (call.bringsFile && !upload) throw declaredError(errors, 'UNEXPECTED_FILE');
};
