/**
 * A device logs in with an unmodified OAuth library (oauth4webapi), and its user approves it on the page
 * without scripts.
 */
import {
  allowInsecureRequests,
  deviceAuthorizationRequest,
  deviceCodeGrantRequest,
  discoveryRequest,
  None,
  processDeviceAuthorizationResponse,
  processDeviceCodeResponse,
  processDiscoveryResponse,
  ResponseBodyError,
} from 'oauth4webapi';
import type { AuthorizationServer, DeviceAuthorizationResponse } from 'oauth4webapi';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { testApi } from '../api.ts';
import type { TestApi, TestUser } from '../api.ts';
import { at } from '../support/answers.ts';
import { freePort } from '../support/redis.ts';

let api: TestApi;
let server: AuthorizationServer;
let client: { client_id: string };
let pilot: TestUser;
let device: DeviceAuthorizationResponse;
/** HTTP on this machine. */
const options = { [allowInsecureRequests]: true };

beforeAll(async () => {
  // The port is known before the service starts, since it is in its documents.
  const port = await freePort();
  api = await testApi({ env: { PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` } });
  client = { client_id: await api.key() };
  const issuer = new URL(api.url);
  const response = await discoveryRequest(issuer, { ...options, algorithm: 'oauth2' });
  server = await processDiscoveryResponse(issuer, response);
});
afterAll(() => api.close());
beforeEach(async () => {
  pilot = await api.user();
  device = await begin();
});

const begin = async (as = client) =>
  processDeviceAuthorizationResponse(
    server,
    as,
    await deviceAuthorizationRequest(server, as, None(), {}, options),
  );
const poll = async (as = client, code = device.device_code) =>
  processDeviceCodeResponse(server, as, await deviceCodeGrantRequest(server, as, None(), code, options));
const problemOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof ResponseBodyError ? [error.status, error.error] : error;
};
const submit = async (fields: Record<string, string>) => {
  const response = await fetch(device.verification_uri, {
    method: 'POST',
    body: new URLSearchParams(fields),
  });
  return { status: response.status, text: await response.text() };
};
const own = () => ({ user_code: device.user_code, email: pilot.email, password: pilot.password });

test('The library discovers the endpoints, shows the code, waits, and gets a token once the user has authorised the device (RFC 8628)', async () => {
  expect(server.grant_types_supported).toEqual(['urn:ietf:params:oauth:grant-type:device_code']);
  expect(device).toMatchObject({ expires_in: 600, interval: 5, verification_uri: `${api.url}/device` });
  expect(await problemOf(poll())).toEqual([400, 'authorization_pending']);
  expect(await problemOf(poll())).toEqual([400, 'slow_down']);
  const asked = await submit({ user_code: device.user_code.toLowerCase() });
  expect([asked.status, asked.text.includes('<b>test</b> asks')]).toEqual([200, true]);
  expect((await submit({ ...own(), answer: 'approve' })).text).toContain('The device is signed in');
  const { access_token: token, token_type: type, expires_in: seconds } = await poll();
  expect([type, seconds]).toEqual(['bearer', 86_400]);
  expect(at(await api.call('refreshUserData', { token }), 'user', 'id')).toBe(pilot.id);
  expect(await problemOf(poll())).toEqual([400, 'invalid_grant']);
});

test('Refusals use the OAuth error codes', async () => {
  const stranger = { client_id: 'dk_unknown' };
  expect(await problemOf(begin(stranger))).toEqual([401, 'invalid_client']);
  expect(await problemOf(poll(client, 'unknown'))).toEqual([400, 'invalid_grant']);
  const { user_code: userCode } = device;
  await api.call('deviceConfirm', { token: pilot.token, data: { userCode, answer: 'refuse' } });
  expect(await problemOf(poll())).toEqual([400, 'access_denied']);
  device = await begin();
  api.context.clock.advance(601);
  expect(await problemOf(poll())).toEqual([400, 'expired_token']);
  const token = (body: BodyInit) => api.fetch('/oauth/token', { method: 'POST', body });
  const other = await token(new URLSearchParams({ grant_type: 'password' }));
  expect([other.status, await other.json()]).toMatchObject([400, { error: 'unsupported_grant_type' }]);
});

test('The page requires the code, the password and a decision; errors are explained, and no device is authorised by one', async () => {
  const shown = await api.fetch(`/device?user_code=${device.user_code}`);
  expect(await shown.text()).toContain(`value="${device.user_code}"`);
  expect(shown.headers.get('content-security-policy')).toContain("form-action 'self'");
  expect(await (await api.fetch('/device?user_code="><script>')).text()).not.toContain('<script>');
  const wrong = await submit({ user_code: 'BCDF-GHJK' });
  expect([wrong.status, wrong.text.includes('No device login has this code')]).toEqual([404, true]);
  const guessed = await submit({ ...own(), password: 'guess', answer: 'approve' });
  expect([guessed.status, guessed.text.includes('Incorrect email address or password')]).toEqual([401, true]);
  const unknown = await submit({ ...own(), email: 'nobody', answer: 'approve' });
  expect(unknown.status).toBe(401);
  expect((await submit(own())).status).toBe(200);
  expect(await problemOf(poll())).toEqual([400, 'authorization_pending']);
});

test('Wrong passwords on the page count towards the limit of login, and wrong codes are limited', async () => {
  const strict = await testApi({ env: { RATE_LIMIT_SCALE: '1' } });
  const devKey = await strict.key();
  const user = await strict.user();
  const code = async () => String((await strict.call('deviceAuthorize', { devKey })).body['userCode']);
  const send = async (fields: Record<string, string>) =>
    (await strict.fetch('/device', { method: 'POST', body: new URLSearchParams(fields) })).status;
  const waiting = await code();
  const guess = () => send({ user_code: waiting, email: user.email, password: 'guess', answer: 'approve' });
  for (let n = 0; n < 5; n += 1) expect(await guess()).toBe(401);
  const login = (password: string) => strict.call('login', { devKey, data: { email: user.email, password } });
  for (let n = 0; n < 5; n += 1) expect((await login('guess')).status).toBe(401);
  expect([await guess(), (await login(user.password)).status]).toEqual([429, 429]);
  const statuses = await Promise.all(Array.from({ length: 60 }, () => send({ user_code: 'BCDF-GHJK' })));
  expect(statuses.filter((status) => status === 404)).toHaveLength(20);
  expect(statuses.filter((status) => status === 429)).toHaveLength(40);
  await strict.close();
});
