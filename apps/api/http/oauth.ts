/** Device login for OAuth libraries: the documents and forms of RFC 8414 and 8628, mapped to queries. */
import type { Router } from '@koa/router';
import type { Context as KoaContext } from 'koa';
import type { ApiResponse } from '../dispatch.ts';
import { readForm } from '../pages/form.ts';
import { answered } from './calls.ts';
import type { RouteParts } from './calls.ts';
import { isRecord } from '#domain/record.ts';

const grantType = 'urn:ietf:params:oauth:grant-type:device_code';

/** Our error codes mapped to those of RFC 6749 and RFC 8628. */
const oauthCodes: Readonly<Record<string, string>> = {
  AUTHORIZATION_PENDING: 'authorization_pending',
  SLOW_DOWN: 'slow_down',
  DEVICE_CODE_EXPIRED: 'expired_token',
  DEVICE_LOGIN_REFUSED: 'access_denied',
  INVALID_DEVICE_CODE: 'invalid_grant',
  AUTH_REQUIRED: 'invalid_grant',
  INVALID_DEV_KEY: 'invalid_client',
  RATE_LIMITED: 'slow_down',
  SERVICE_UNAVAILABLE: 'temporarily_unavailable',
};

const sendError = (ctx: KoaContext, status: number, error: string, text: string): void => {
  ctx.status = status;
  ctx.body = { error, error_description: text };
};

const messageOf = ({ body }: ApiResponse): string =>
  isRecord(body['error']) ? String(body['error']['message']) : '';

/** RFC 6749 uses 400 for every refusal except an invalid client. */
const statusOf = ({ status }: ApiResponse, error: string): number =>
  status >= 500 || status === 429 ? status : error === 'invalid_client' ? 401 : 400;

/** `GET /.well-known/oauth-authorization-server`, `POST /oauth/device_authorization` and `/oauth/token`. */
export const oauthRoutes = (router: Router, parts: RouteParts): void => {
  const { BASE_URL: issuer, WEB_BASE_URL } = parts.context.config;
  router.get('/.well-known/oauth-authorization-server', (ctx) => {
    ctx.set('Cache-Control', 'max-age=3600');
    ctx.body = {
      issuer,
      device_authorization_endpoint: `${issuer}/oauth/device_authorization`,
      token_endpoint: `${issuer}/oauth/token`,
      grant_types_supported: [grantType],
      response_types_supported: [],
      token_endpoint_auth_methods_supported: ['none'],
      service_documentation: `${WEB_BASE_URL}/docs/guide/authentication`,
    };
  });

  /** The query's answer; null if a refusal was sent instead. */
  const ask = async (
    ctx: KoaContext,
    query: string,
    { clientId, data }: { clientId: string | undefined; data: Record<string, unknown> },
  ): Promise<Record<string, unknown> | null> => {
    const headers = { ...ctx.headers, ...(clientId === undefined ? {} : { 'x-dev-key': clientId }) };
    const response = await answered(parts, ctx, { headers, body: { query, data } });
    ctx.set('Pragma', 'no-cache');
    if (response.errorCode === null) return response.body;
    const error = oauthCodes[response.errorCode] ?? 'invalid_request';
    sendError(ctx, statusOf(response, error), error, messageOf(response));
    return null;
  };

  router.post('/oauth/device_authorization', async (ctx) => {
    const { client_id: clientId } = await readForm(ctx);
    const answer = await ask(ctx, 'deviceAuthorize', { clientId, data: {} });
    if (!answer) return;
    ctx.body = {
      device_code: answer['deviceCode'],
      user_code: answer['userCode'],
      verification_uri: answer['verificationUri'],
      verification_uri_complete: answer['verificationUriComplete'],
      expires_in: answer['expiresIn'],
      interval: answer['interval'],
    };
  });

  router.post('/oauth/token', async (ctx) => {
    const { client_id: clientId, grant_type: grant, device_code: deviceCode } = await readForm(ctx);
    if (grant !== grantType) {
      ctx.set('Cache-Control', 'no-store');
      sendError(ctx, 400, 'unsupported_grant_type', `The grant type must be ${grantType}.`);
      return;
    }
    const answer = await ask(ctx, 'deviceToken', { clientId, data: { deviceCode } });
    if (answer)
      ctx.body = { access_token: answer['token'], token_type: 'Bearer', expires_in: answer['expiresIn'] };
  });
};
