/** Shares of a plan: their states, who may redeem them, and what each side sees (M-2.6, M-3.6). */
import { z } from 'zod';
import { DomainError } from '../errors.ts';
import { revisionSchema } from '../fields/revision.ts';
import { typedCode } from '../text/controls.ts';
import { wireTime, wireTimeOrNull } from '../time.ts';

export const sharePermissions = ['view', 'edit'] as const;
export type SharePermission = (typeof sharePermissions)[number];

/** 32 characters: letters without I and O, digits without 0 and 1 (M-2.6.f17). */
export const codeAlphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const codeForm = new RegExp(`^[${codeAlphabet}]{8}$`);
const tokenForm = /^[\w-]{48}$/;

/** The token in a pasted text: the token itself, the link `…/share?t=TOKEN` or an app link; null if there is none. */
export const pastedShareToken = (text: string): string | null => {
  const token = /[^/=]*$/.exec(text.trim())?.[0] ?? '';
  return tokenForm.test(token) ? token : null;
};

/** Normalises a typed code; null if it cannot be one. */
export const typedShareCode = (text: string): string | null => typedCode(text, codeForm);

export interface Share {
  id: number;
  ownerUserId: number;
  ofpId: string;
  /** The account that accepted it. */
  sharedWithUserId: number | null;
  sharedWithEmail: string | null;
  permission: SharePermission;
  status: 'pending' | 'accepted' | 'revoked';
  createdAt: Date;
  acceptedAt: Date | null;
  revokedAt: Date | null;
  expiresAt: Date | null;
  revision: number;
  isOwnerDisabled: boolean;
  /** URL scheme of the app that the owner registered with; null: `app`. */
  appScheme: string | null;
}

export interface ReceivedShare extends Share {
  /** Null once the plan is deleted. */
  planName: string | null;
  ownerName: string;
}

export interface ShareSecrets {
  token: string;
  code: string;
}

export const isExpired = ({ expiresAt }: Pick<Share, 'expiresAt'>, now: Date): boolean =>
  expiresAt !== null && expiresAt <= now;

/**
 * True if this user has already accepted the share. Throws INVALID_SHARE_TARGET for the owner, SHARE_FORBIDDEN for
 * another account than the one it is bound to, SHARE_REVOKED, SHARE_EXPIRED, or OWNER_DISABLED while the owner's
 * account is disabled.
 */
export const isAccepted = (share: Share, userId: number, now: Date): boolean => {
  if (share.ownerUserId === userId)
    throw new DomainError(
      'INVALID_SHARE_TARGET',
      {},
      `You are the owner of this flight plan, and cannot accept your own invitation${share.status === 'revoked' ? ', which is revoked' : ''}.`,
    );
  if (share.sharedWithUserId !== null && share.sharedWithUserId !== userId)
    throw new DomainError('SHARE_FORBIDDEN');
  if (share.status === 'revoked') throw new DomainError('SHARE_REVOKED');
  if (isExpired(share, now)) throw new DomainError('SHARE_EXPIRED');
  if (share.status !== 'accepted' && share.isOwnerDisabled) throw new DomainError('OWNER_DISABLED');
  return share.status === 'accepted';
};

const commonFields = {
  id: z.int(),
  ownerUserId: z.int(),
  ofpId: z.string(),
  sharedWithUserId: z.int().nullable(),
  sharedWithEmail: z.string().nullable(),
  permission: z.enum(sharePermissions),
  status: z.enum(['pending', 'accepted', 'revoked']),
  createdAt: z.string(),
  acceptedAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
  expiresAt: z
    .string()
    .nullable()
    .describe('Last time at which it can be accepted, UTC, `YYYY-MM-DD HH:MM:SS`; null: no limit.'),
  revision: revisionSchema,
};

const secret = (about: string) =>
  z.string().nullable().describe(`${about}; null when it was issued with a key that is no longer configured`);

/** As the owner sees it. */
export const issuedShareSchema = z.strictObject({
  ...commonFields,
  shareCode: secret('8 characters'),
  shareToken: secret('48 characters'),
  shareUrl: secret('URL of a page that opens the app'),
  deepLink: secret('link that opens the app; app:// unless the developer key has its own scheme'),
  qrPayload: secret('text to encode as a QR code'),
});

/** As the recipient sees it, without anything redeemable. */
export const receivedShareSchema = z.strictObject({
  ...commonFields,
  planName: z.string().nullable(),
  ownerName: z.string().nullable(),
});

const commonView = (share: Share) => ({
  id: share.id,
  ownerUserId: share.ownerUserId,
  ofpId: share.ofpId,
  sharedWithUserId: share.sharedWithUserId,
  sharedWithEmail: share.sharedWithEmail,
  permission: share.permission,
  status: share.status,
  createdAt: wireTime(share.createdAt),
  acceptedAt: wireTimeOrNull(share.acceptedAt),
  revokedAt: wireTimeOrNull(share.revokedAt),
  expiresAt: wireTimeOrNull(share.expiresAt),
  revision: share.revision,
});

/** The recipient of an ended share sees neither the name of the plan nor that of its owner. */
export const receivedShareView = (share: ReceivedShare, now: Date): z.output<typeof receivedShareSchema> => {
  const isOver = share.status === 'revoked' || isExpired(share, now);
  const { planName, ownerName } = isOver ? { planName: null, ownerName: null } : share;
  return { ...commonView(share), planName, ownerName };
};

export const shareUrl = (webBaseUrl: string, token: string): string => `${webBaseUrl}/share?t=${token}`;
export const shareDeepLink = (token: string, { appScheme }: Pick<Share, 'appScheme'>): string =>
  `${appScheme ?? 'app'}://share/${token}`;

export const issuedShareView = (
  share: Share,
  secrets: ShareSecrets | null,
  webBaseUrl: string,
): z.output<typeof issuedShareSchema> => {
  const deepLink = secrets && shareDeepLink(secrets.token, share);
  return {
    ...commonView(share),
    shareCode: secrets?.code ?? null,
    shareToken: secrets?.token ?? null,
    shareUrl: secrets && shareUrl(webBaseUrl, secrets.token),
    deepLink,
    qrPayload: deepLink,
  };
};
