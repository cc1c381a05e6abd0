import { mailResetLink } from '#commands/users/credentials.ts';
import { passwordReset } from '#domain/jobs/password-reset.ts';
import { handle } from '../handle.ts';

export default handle(passwordReset, ({ payload, ctx }) =>
  ctx.postgres.transaction((tx) => mailResetLink(tx, ctx, payload)),
);
