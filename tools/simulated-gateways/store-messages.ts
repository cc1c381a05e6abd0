/** Messages as the store signs them. */
import { sign } from 'node:crypto';
import { certify } from './certificates.ts';
import type { CertificateOptions, Certified } from './certificates.ts';

/** Root, intermediate and leaf, whose markers the library checks. */
export interface StoreChain {
  root: Certified;
  intermediate: Certified;
  leaf: Certified;
}

export const storeChain = (
  change: { intermediate?: Partial<CertificateOptions>; leaf?: Partial<CertificateOptions> } = {},
): StoreChain => {
  const root = certify({ subject: 'Simulated Store Root', isCa: true });
  const intermediate = certify({
    subject: 'Simulated Store Intermediate',
    issuer: root,
    isCa: true,
    marks: ['1.2.840.113635.100.6.2.1'],
    ...change.intermediate,
  });
  const leaf = certify({
    subject: 'Simulated Store Leaf',
    issuer: intermediate,
    marks: ['1.2.840.113635.100.6.11.1'],
    ...change.leaf,
  });
  return { root, intermediate, leaf };
};

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signed data in compact form, with its chain of certificates. */
export const signedData = (
  { root, intermediate, leaf }: StoreChain,
  payload: unknown,
  header: object = {},
): string => {
  const x5c = [leaf, intermediate, root].map((each) => each.der.toString('base64'));
  const content = `${base64url({ alg: 'ES256', x5c, ...header })}.${base64url(payload)}`;
  const key = { key: leaf.privateKey, dsaEncoding: 'ieee-p1363' } as const;
  return `${content}.${sign('sha256', Buffer.from(content), key).toString('base64url')}`;
};

export interface StorePurchase {
  /** `originalTransactionId` */
  reference: string;
  transactionId: string;
  accountToken: string;
  productCode: string;
  /** In thousandths. */
  price: number;
  currency: string;
  purchasedAt: Date;
  endsAt: Date;
  isRenewing?: boolean;
  renewalProductCode?: string;
  graceEndsAt?: Date;
  revokedAt?: Date;
}

export interface StoreMessage {
  id: string;
  type: string;
  subtype?: string;
  /** 1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked. */
  status?: number;
  at: Date;
  purchase?: StorePurchase;
}

export interface StoreApp {
  bundleId: string;
  appAppleId: number;
  environment: string;
}

export const transactionOf = (purchase: StorePurchase, at: Date, { bundleId, environment }: StoreApp) => ({
  originalTransactionId: purchase.reference,
  transactionId: purchase.transactionId,
  bundleId,
  productId: purchase.productCode,
  purchaseDate: purchase.purchasedAt.getTime(),
  expiresDate: purchase.endsAt.getTime(),
  quantity: 1,
  type: 'Auto-Renewable Subscription',
  appAccountToken: purchase.accountToken,
  inAppOwnershipType: 'PURCHASED',
  signedDate: at.getTime(),
  revocationDate: purchase.revokedAt?.getTime(),
  environment,
  currency: purchase.currency,
  price: purchase.price,
});

export const renewalOf = (purchase: StorePurchase, at: Date, { environment }: StoreApp) => ({
  originalTransactionId: purchase.reference,
  autoRenewProductId: purchase.renewalProductCode ?? purchase.productCode,
  productId: purchase.productCode,
  autoRenewStatus: purchase.isRenewing === false ? 0 : 1,
  gracePeriodExpiresDate: purchase.graceEndsAt?.getTime(),
  signedDate: at.getTime(),
  environment,
  renewalDate: purchase.endsAt.getTime(),
  currency: purchase.currency,
  renewalPrice: purchase.price,
});

export const signedPayload = (chain: StoreChain, message: StoreMessage, app: StoreApp): string => {
  const { id, type, subtype, status, at, purchase } = message;
  const signed = purchase && {
    signedTransactionInfo: signedData(chain, transactionOf(purchase, at, app)),
    signedRenewalInfo: signedData(chain, renewalOf(purchase, at, app)),
    status: status ?? 1,
  };
  return signedData(chain, {
    notificationType: type,
    subtype,
    notificationUUID: id,
    version: '2.0',
    signedDate: at.getTime(),
    data: { ...app, ...signed },
  });
};
