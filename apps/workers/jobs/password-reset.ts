import { mailResetLink } from '#commands/users/mail-reset-link.ts';
import { passwordReset } from '#domain/jobs/password-reset.ts';
import { handle } from '../handle.ts';

export default handle(passwordReset, ({ payload, ctx: { postgres, clock, jobs, config } }) =>
  postgres.transaction((tx) => mailResetLink(tx, { clock, jobs, webBaseUrl: config.WEB_BASE_URL }, payload)),
);
