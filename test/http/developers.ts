/**
 * A developer at `/developers`:
 *
 *   const ada = await developer(api);
 *   const page = await ada.get('/application?id=3');        // { status, text, headers }
 *   const answer = await ada.post('/rotate', { id: '3' });
 */
import type { TestApi, TestUser } from '../api.ts';
import { verifyAddress } from '../support/mailed-links.ts';

export interface PageText {
  status: number;
  headers: Headers;
  text: string;
}

export interface Developer {
  user: TestUser;
  cookie: string;
  formToken: string;
  get: (path: string) => Promise<PageText>;
  /** With the token of the form and the headers of a browser on a page of the service. */
  post: (
    path: string,
    fields?: Record<string, string>,
    headers?: Record<string, string>,
  ) => Promise<PageText>;
}

export const fetchDevelopers = async (
  api: TestApi,
  path: string,
  init: RequestInit = {},
): Promise<PageText> => {
  const response = await api.fetch(`/developers${path}`, { redirect: 'manual', ...init });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

export const postDevelopers = (
  api: TestApi,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<PageText> =>
  fetchDevelopers(api, path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { origin: api.url, 'sec-fetch-site': 'same-origin', ...headers },
  });

/** A new account with a verified address, signed in. */
export const developer = async (api: TestApi): Promise<Developer> => {
  const user = await api.user();
  await verifyAddress(api, user);
  const { email, password } = user;
  const answer = await postDevelopers(api, '/sign-in', { email, password });
  const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const get = (path: string) => fetchDevelopers(api, path, { headers: { cookie } });
  const formToken = /name="form_token" value="([^"]+)"/.exec((await get('')).text)?.[1] ?? '';
  return {
    user,
    cookie,
    formToken,
    get,
    post: (path, fields = {}, headers = {}) =>
      postDevelopers(api, path, { form_token: formToken, ...fields }, { cookie, ...headers }),
  };
};

const keyForm = /dk_[\w-]{32}/;

/** A new application of a developer: its id and key, as the page shows them. */
export const newApplication = async (
  { post }: Developer,
  fields: Record<string, string> = {},
): Promise<{ id: string; key: string }> => {
  const { status, text } = await post('/create', {
    name: 'My EFB',
    userInfo: 'SIMPLE',
    subscription: '',
    weather: 'yes',
    ...fields,
  });
  const [key = ''] = keyForm.exec(text) ?? [];
  const id = /application\?id=(\d+)/.exec(text)?.[1] ?? '';
  if (key === '' || id === '') throw new Error(`no application was created: ${status} ${text}`);
  return { id, key };
};
