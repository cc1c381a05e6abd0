/** Sends calls as one of the users of a scene. */
import type { Registered } from '#api/registry.ts';
import type { FuzzScene } from './scene.ts';
import { withKnown } from './valid.ts';

/** True for operations that delete or revoke something; they are called last. */
export const removes = ({ name }: Registered): boolean =>
  /delete|revoke|cancel|reset|logout|changePassword/i.test(name);
export const inOrder = (operations: readonly Registered[]): Registered[] => [
  ...operations.filter((operation) => !removes(operation)),
  ...operations.filter((operation) => removes(operation)),
];

/** A file next to `data`. */
export type File = 'none' | 'picture' | 'cut picture' | 'bytes' | 'empty';
export type Caller = 'owner' | 'stranger' | 'nobody' | 'no key';
export interface Call {
  data: unknown;
  caller: Caller;
  file: File;
  bytes: Uint8Array<ArrayBuffer>;
}

const contentOf = (scene: FuzzScene, { file, bytes }: Call): Uint8Array<ArrayBuffer> => {
  if (file === 'bytes') return bytes;
  if (file === 'empty') return new Uint8Array();
  const picture = new Uint8Array(scene.picture);
  return file === 'picture' ? picture : picture.slice(0, 40);
};

export const sendCall = (scene: FuzzScene, operation: Registered, call: Call): Promise<Response> => {
  const { auth, name } = operation;
  const token = call.caller === 'stranger' ? scene.stranger.token : scene.owner.token;
  const headers = {
    ...(call.caller === 'nobody' ? {} : { authorization: `Bearer ${token}` }),
    ...(call.caller === 'no key' ? {} : { 'x-dev-key': scene.devKey }),
  };
  if (call.file !== 'none') {
    const body = new FormData();
    body.set('query', name);
    if (call.data !== undefined) body.set('data', JSON.stringify(call.data));
    body.set('file', new Blob([contentOf(scene, call)]), 'a file.png');
    return scene.api.fetch('/api', { method: 'POST', body, headers });
  }
  const body = {
    query: name,
    ...(typeof auth === 'object' && 'apiKey' in auth ? { [auth.apiKey]: scene.apiKey } : {}),
    ...(call.data === undefined ? {} : { data: call.data }),
  };
  return scene.api.fetch('/api', {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { ...headers, 'content-type': 'application/json' },
  });
};

/** The declared example with existing values, called by the owner. */
export const exampleCall = ({ known }: FuzzScene, { name, example = {}, upload }: Registered): Call => ({
  data: withKnown(example, known(name)),
  caller: 'owner',
  file: name.endsWith('Picture') && upload ? 'picture' : 'none',
  bytes: new Uint8Array(),
});
