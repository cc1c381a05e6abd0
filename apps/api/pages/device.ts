/**
 * The page where a user approves the login of a device by the code that it shows. It needs no scripts and no session.
 */
import { answerDeviceLogin, findDeviceLogin } from '#commands/users/credentials.ts';
import { permissionsText } from '#domain/developers/permissions.ts';
import { shownUserCode, typedUserCode } from '#domain/users/device-login.ts';
import type { DeviceLogin } from '#domain/users/device-login.ts';
import { DomainError, UnavailableError } from '#domain/errors.ts';
import { ApiError, unavailableOf } from '../errors.ts';
import type { Limit } from '../limits.ts';
import { networkOf } from '../services/rate-limiter.ts';
import { alert, credentialFields, field } from '../site/parts.ts';
import { html } from './html.ts';
import { page } from './page.ts';
import type { FormPage, PageParts } from './page.ts';
import type { PageAnswer } from '../site/frame.ts';
import { verifyCredentialsForm } from './verify-credentials.ts';

const path = '/device';
const title = 'Sign in on a device';

/** Codes tried on the page; those of waiting devices do not count. */
const codeLimit: Limit = {
  name: 'devicePage',
  points: 20,
  perSeconds: 3_600,
  by: 'ip',
  counts: 'failures',
};

const codeForm = (status: number, code: string, problem?: string): PageAnswer =>
  page(
    status,
    title,
    html`${alert(problem)}
<form class="sheet" method="post" action="${path}">
${field('Code that the device shows', 'user_code', html`value="${code}" autocomplete="off" autocapitalize="characters" spellcheck="false" required maxlength="40" autofocus`)}
<button>Next</button>
</form>`,
  );

const answerForm = (
  status: number,
  { code, login, email = '' }: { code: string; login: DeviceLogin; email?: string },
  problem?: string,
): PageAnswer =>
  page(
    status,
    title,
    html`${alert(problem)}
<p class="key">${code}</p>
<p><b>${login.application}</b> asks to be signed in with your account, on the device that shows this code. Is it your device? Whoever sent you a link or a code gets into your account.</p>
<p>Its developer chose that name. It may use: ${permissionsText(login) || 'nothing but the account itself'}.</p>
<form class="sheet" method="post" action="${path}">
<input type="hidden" name="user_code" value="${code}">
${credentialFields(email)}
<button name="answer" value="approve">Sign the device in</button>
<p><a href="${path}">This is not my device</a> · <a href="/reset">Forgotten your password?</a></p>
</form>`,
  );

const done = (application: string): PageAnswer =>
  page(
    200,
    'The device is signed in',
    html`<p>${application} continues on the device within a few seconds. You can close this page.</p>`,
  );

const wrongCode = 'No device login has this code. Check the device: it may show a new one.';

/** The application waiting with this code; unknown codes are counted. */
const waiting = ({ context, services }: PageParts, code: string, ip: string): Promise<DeviceLogin> =>
  services.rateLimiter.limited([[codeLimit, `ip:${networkOf(ip)}`]], () =>
    findDeviceLogin(context.postgres.db, context, code),
  );

export const devicePage: FormPage = {
  path,

  /** GET: the code, which a link may have filled in. Nothing is looked up. */
  render: (_context, given) => {
    const code = typedUserCode(given['user_code'] ?? '');
    return codeForm(200, code === null ? '' : shownUserCode(code));
  },

  /** POST: first the code, then the code with the account that approves the login. */
  submit: async (parts, fields, ip) => {
    const typed = typedUserCode(fields['user_code'] ?? '');
    const code = typed === null ? (fields['user_code'] ?? '').slice(0, 40) : shownUserCode(typed);
    let login: DeviceLogin | null = null;
    try {
      login = await waiting(parts, code, ip);
      if (fields['answer'] !== 'approve') return answerForm(200, { code, login });
      const { userId, tokenGeneration: generation } = await verifyCredentialsForm(parts, fields, ip);
      const { context } = parts;
      await context.postgres.transaction((tx) =>
        answerDeviceLogin(tx, context, { userCode: code, userId, generation, isApproved: true }),
      );
      return done(login.application);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'INVALID_USER_CODE')
        return codeForm(404, code, wrongCode);
      const refusal = error instanceof UnavailableError ? unavailableOf(error) : error;
      if (!(refusal instanceof ApiError)) throw error;
      const { status, message, headers } = refusal;
      const shown =
        login === null
          ? codeForm(status, code, message)
          : answerForm(status, { code, login, email: (fields['email'] ?? '').slice(0, 254) }, message);
      return { ...shown, headers: { ...shown.headers, ...headers } };
    }
  },
};
