import type { Stage } from '../call.ts';
import { declaredError } from '../errors.ts';

/** Throws UNEXPECTED_FILE where the operation declares no upload. For calls that bring a file. */
export const acceptFile: Stage = ({ upload, errors }) => {
  if (!upload) throw declaredError(errors, 'UNEXPECTED_FILE');
};
