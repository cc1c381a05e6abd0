/** Developer keys and their owners' applications. */
import type { Deps } from '#commands/deps.ts';
import { developerKeyMail } from '#domain/developers/mails.ts';
import type { ChangedBy, KeyNews } from '#domain/developers/mails.ts';
import {
  grantedByRule,
  keyOverlapSeconds,
  maxApplications,
  noPermissions,
  permissionsText,
} from '#domain/developers/permissions.ts';
import type { Permissions } from '#domain/developers/permissions.ts';
import { DomainError } from '#domain/errors.ts';
import { addSeconds, hourMs } from '#domain/time.ts';
import {
  applicationRepo,
  applicationWrites,
  developerKeyRepo,
  developerKeyWrites,
} from '#store/postgres/developer-keys/developer-keys.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { queueMail } from './mail.ts';

/**
 * Mails the owner of a key which change was made, when and by whom; to be called after the change. Of similar
 * changes, the first one within an hour is mailed at once, the others together at its end.
 */
export const mailOwner = async (
  tx: Tx,
  deps: Deps<'clock' | 'jobs'>,
  { id, what, by }: { id: number; what: KeyNews; by: ChangedBy },
): Promise<void> => {
  const to = await applicationRepo(tx).ownerEmail(id);
  const found = to === null ? null : await developerKeyRepo(tx).byId(id);
  if (to === null || !found) return;
  const at = deps.clock.now();
  const change = { id, name: found.name, what, by, at };
  const mail = developerKeyMail({ ...change, permissions: permissionsText(found) });
  const hour = Math.floor(at.getTime() / hourMs);
  const key = `developer-key:${id}:${what}:${by}:${hour}`;
  if (await queueMail(tx, deps, { ...mail, key, to, createdAt: at })) return;
  const more = developerKeyMail({ ...change, permissions: null });
  const delaySeconds = Math.ceil(((hour + 1) * hourMs - at.getTime()) / 1_000);
  await queueMail(tx, deps, { ...more, key: `${key}:more`, to, createdAt: at, delaySeconds });
};

/**
 * Creates an application with the permissions granted by rule; the rest awaits the operator. Only this answer contains
 * the key. Throws APPLICATION_LIMIT_REACHED.
 */
export const createApplication = async (
  tx: Tx,
  deps: Deps<'clock' | 'jobs'>,
  { ownerId, name, asked, reason }: { ownerId: number; name: string; asked: Permissions; reason: string },
): Promise<{ id: number; key: string }> => {
  const applications = applicationWrites(tx);
  if ((await applications.countOf(ownerId)) >= maxApplications)
    throw new DomainError(
      'APPLICATION_LIMIT_REACHED',
      {},
      `An account has at most ${maxApplications} applications. Revoke one that is no longer used.`,
    );
  const now = deps.clock.now();
  const { granted, waiting } = grantedByRule(noPermissions, asked);
  const first = { ...granted, returnUrlHosts: [], appScheme: null };
  const { id, key } = await developerKeyWrites(tx).create(name, first, now);
  await applications.setOwner(id, ownerId);
  if (waiting) await applications.setRequest(id, waiting, reason, now);
  await mailOwner(tx, deps, { id, what: 'created', by: 'owner' });
  return { id, key };
};

/**
 * Grants what the rule allows and leaves the rest to the operator; returns whether anything is pending. Throws
 * NOT_FOUND.
 */
export const askPermissions = async (
  tx: Tx,
  deps: Deps<'clock' | 'jobs'>,
  { id, asked, reason }: { id: number; asked: Permissions; reason: string },
): Promise<boolean> => {
  const applications = applicationWrites(tx);
  const held = await applications.lockPermissions(id);
  if (!held) throw new DomainError('NOT_FOUND', {}, `Application ${id} has been revoked.`);
  const { granted, waiting } = grantedByRule(held, asked);
  await applications.setPermissions(id, granted);
  await applications.setRequest(id, waiting, reason, deps.clock.now());
  await mailOwner(tx, deps, { id, what: 'permissions', by: 'owner' });
  return waiting !== null;
};

/** Issues a new key for an application; the previous one stays valid for a day. Throws NOT_FOUND. */
export const rotateKey = async (
  tx: Tx,
  deps: Deps<'clock' | 'jobs'>,
  { id }: { id: number },
): Promise<string> => {
  const previousUntil = addSeconds(deps.clock.now(), keyOverlapSeconds);
  const key = await applicationWrites(tx).rotate(id, previousUntil);
  if (key === null) throw new DomainError('NOT_FOUND', {}, `There is no developer key ${id} in use.`);
  await mailOwner(tx, deps, { id, what: 'rotated', by: 'owner' });
  return key;
};

/** Revokes a developer key at once and notifies its owner. Throws NOT_FOUND. */
export const revokeKey = async (
  tx: Tx,
  deps: Deps<'clock' | 'jobs'>,
  { id, by }: { id: number; by: ChangedBy },
): Promise<void> => {
  if ((await developerKeyWrites(tx).revoke(id, deps.clock.now())) === 0)
    throw new DomainError('NOT_FOUND', {}, `There is no developer key ${id} in use.`);
  await mailOwner(tx, deps, { id, what: 'revoked', by });
};
