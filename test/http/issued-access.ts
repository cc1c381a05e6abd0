/** Everything issued to or by an account, and whether it still grants access. */
import type { Issued } from '#domain/access/revocations.ts';
import { sql } from '#store/postgres/sql.ts';
import { at, refusal } from '../support/answers.ts';
import { isOpen, isShown } from '../support/opens.ts';
import { pdfOf } from '../support/documents.ts';
import { mailedLink, pressConfirm } from '../support/mailed-links.ts';
import { plain } from '../support/pictures.ts';
import { planOf } from '../support/plans.ts';
import { insertLanding } from '../support/landing.ts';
import { apiKeyOf, signatureFor, signerOf, tokenFor } from '../support/signed.ts';
import { until } from '../support/until.ts';
import type { Library, LibraryApi } from '../support/library.ts';
import { openWork } from './open-work.ts';
import type { Receiver } from '../support/receiver.ts';
import type { TestUser } from '../api.ts';

/** Names of the documents that one sees with the level and with the membership. */
export const documentNames = { level: 'level.pdf', airline: 'airline.pdf' } as const;

export interface IssuedScene {
  user: TestUser;
  /** Token of the session that the event concerns. */
  token: string;
  newEmail: string;
  /** Path and query of a link for a new password. */
  resetLink: string;
  emailChangeLinks: string[];
  deletion: string;
  /** Path of the picture. */
  picture: string;
  /** True while it grants access; each is tried once, in this order. */
  opens: Readonly<Record<Issued, () => Promise<boolean>>>;
}

interface Parts {
  library: LibraryApi;
  receiver: Receiver;
  /** Developer key of the token that the event concerns. */
  devKey: string;
  newPassword: string;
}

/** A user with a level and an airline who has been issued everything. `join` makes the user a member. */
export const issueAccess = async (
  { library, receiver, devKey, newPassword }: Parts,
  join: (user: TestUser) => Promise<void>,
): Promise<IssuedScene> => {
  const { api } = library;
  const { postgres, clock } = api.context;
  const user = await library.member('EFB_PRO_M');
  await join(user);
  const login = (email: string, password: string, key = library.devKey) =>
    api.call('login', { devKey: key, data: { email, password } });
  const token = String((await login(user.email, user.password, devKey)).body['token']);
  const verificationLink = await mailedLink(api, user.email);
  const newEmail = `new.${user.email}`;
  await api.call('changeEmail', { token, data: { password: user.password, newEmail } });
  const emailChangeLinks = await Promise.all(
    [user.email, newEmail].map((address) => mailedLink(api, address)),
  );
  await api.call('requestPasswordReset', { devKey, data: { email: user.email } });
  const resetLink = await mailedReset(library, user.email);
  const deletion = String(
    at(
      await api.call('deleteAccount', { token: user.token, data: { password: user.password } }),
      'confirmationToken',
    ),
  );

  await library.file(user, pdfOf(user.email));
  const { files } = await library.sync(user);
  const linkOf = (matches: (name: string) => boolean) => () => {
    const found = files.find(({ name }) => matches(String(name)));
    if (!found) throw new Error('the document was not issued');
    return library.download(found['downloadUrl']).then((answer) => isShown(answer, [403, 404]));
  };
  const shared: readonly string[] = Object.values(documentNames);
  const sees = (wanted: string) => async () => {
    const answer = await api.call('librarySync', {
      token,
      headers: { 'x-dev-key': library.devKey },
      data: {},
    });
    return isOpen(answer) && (answer.body['library'] as Library).files.some(({ name }) => name === wanted);
  };

  const { deviceCode, userCode } = (await api.call('deviceAuthorize', { devKey })).body;
  await api.call('deviceConfirm', { token, data: { userCode, answer: 'approve' } });

  const signer = await signerOf(api, user);
  const apiKey = await apiKeyOf(api, user);
  const timestamp = Math.floor(clock.now().getTime() / 1_000);
  const signature = signatureFor(user.id, `${apiKey}${timestamp}user_subscriptions`);
  const unknown = 999_999_999;
  const confirmation = tokenFor({
    action: 'pause_subscription',
    subscriptionId: unknown,
    userId: user.id,
    timestamp,
  });

  const ofpId = await planOf(api, user);
  const share = async (): Promise<Record<string, string>> =>
    at(
      await api.call('ofpShare', { token: user.token, data: { ofpId, permission: 'edit' } }),
      'share',
    ) as Record<string, string>;
  const [byLink, byCode, accepted] = [await share(), await share(), await share()];
  const [guest, recipient] = [await api.user(), await api.user()];
  const accept = (to: TestUser, data: Record<string, unknown>) =>
    api.call('ofpShareAccept', { token: to.token, data });
  await accept(recipient, { shareToken: accepted['shareToken'] });
  const page = new URL(String(byLink['shareUrl']));

  const { publicId } = await postgres.transaction((tx) => insertLanding(tx, user.id, clock.now()));
  const picture = await upload(library, user);
  const get = async (path: string, ended: readonly number[]) => isShown(await api.fetch(path), ended);
  const more = await openWork({ library, receiver, user, token, devKey, other: recipient });

  return {
    user,
    token,
    newEmail,
    resetLink,
    emailChangeLinks,
    deletion,
    picture,
    opens: {
      // Tried before an approved device signs in.
      ...more,
      token: async () => isOpen(await api.call('refreshUserData', { token })),
      permission: async () => isOpen(await api.call('getUserMeta', { token })),
      level: sees(documentNames.level),
      airline: sees(documentNames.airline),
      otherToken: async () => isOpen(await api.call('refreshUserData', { token: user.token })),
      approvedDevice: async () => isOpen(await api.call('deviceToken', { devKey, data: { deviceCode } })),
      apiKey: async () => isOpen(await signer.call('user_subscriptions')),
      signature: async () =>
        isOpen(
          await signer.call('user_subscriptions', {
            headers: { 'x-timestamp': String(timestamp), 'x-signature': signature },
          }),
        ),
      confirmation: async () => {
        const data = { subscription_id: unknown, confirmation_token: confirmation };
        const answer = await signer.call('pause_subscription', { method: 'POST', data });
        // Confirmed, and then there is no such subscription.
        return refusal(answer)[1] === 'SUBSCRIPTION_NOT_FOUND' || isOpen(answer);
      },
      fileLink: linkOf((name) => !shared.includes(name)),
      levelFileLink: linkOf((name) => name === documentNames.level),
      airlineFileLink: linkOf((name) => name === documentNames.airline),
      invitationLink: () => get(page.pathname + page.search, [403, 404, 410]),
      invitationCode: async () => isOpen(await accept(guest, { shareCode: byCode['shareCode'] })),
      sharedReading: async () =>
        isOpen(await api.call('flightDataList', { token: recipient.token, data: { ofpId } })),
      sharedChange: async () =>
        isOpen(
          await api.call('flightDataSave', {
            token: recipient.token,
            data: { ofpId, dataKey: `fuel-${clock.now().getTime()}`, payload: { blockKg: 1 } },
          }),
        ),
      drawing: () => get(`/graphics/${publicId}/unfactored.svg`, [404]),
      picture: () => get(picture, [404]),
      verificationLink: async () => isShown(await pressConfirm(api, verificationLink), [400]),
      emailChangeLink: async () => isShown(await pressConfirm(api, emailChangeLinks[0] ?? ''), [400]),
      // Opening it does not use it up, and its button would end the rest.
      resetLink: () => get(resetLink, [400]),
      deletion: async () => {
        const answers = [
          await login(user.email, user.password),
          await login(user.email, newPassword),
          await login(newEmail, user.password),
        ];
        const signedIn = answers.find(({ status }) => status === 200);
        if (!signedIn) return false;
        return isOpen(
          await api.call('deleteAccount', {
            token: String(signedIn.body['token']),
            data: { confirmationToken: deletion },
          }),
        );
      },
    },
  };
};

/** Path and query of the link for a new password, as soon as a worker has mailed it. */
const mailedReset = async ({ api }: LibraryApi, address: string): Promise<string> => {
  let text = '';
  await until('a link for a new password', async () => {
    const mail = await api.context.postgres.db.maybe<{ text: string }>(sql`
      SELECT body_text AS text FROM outgoing_mail WHERE recipient = ${address} AND key LIKE 'password-reset:%'`);
    text = mail?.text ?? '';
    return mail;
  });
  const { pathname, search } = new URL(/https?:\S+/.exec(text)?.[0] ?? '');
  return pathname + search;
};

/** The path of a new profile picture. */
const upload = async ({ api, devKey }: LibraryApi, { token }: TestUser): Promise<string> => {
  const form = new FormData();
  form.set('query', 'uploadProfilePicture');
  form.set('file', new Blob([new Uint8Array(await plain(64, 64).png().toBuffer())]), 'me.png');
  const headers = { authorization: `Bearer ${token}`, 'x-dev-key': devKey };
  const answer = await api.fetch('/api', { method: 'POST', body: form, headers });
  const { url } = (await answer.json()) as { url: string };
  return new URL(url).pathname;
};
