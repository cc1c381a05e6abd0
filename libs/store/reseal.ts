/** Encrypted values: which of them can be decrypted, and their re-encryption with the first key (ENCRYPTION_KEYS). */
import {
  newApiKey,
  newWebhookSecret,
  openApiKey,
  openSealed,
  openShareSecrets,
  seal,
  sealApiKey,
  sealIdOf,
  sealShareSecrets,
} from './auth/secrets.ts';
import { ConfigError, keyIdOf } from '#platform/config/config.ts';
import { sealedRepo, sealedWrites } from './postgres/users/sealed.ts';
import type { SealedCount, SealedKind, SealedRow } from './postgres/users/sealed.ts';
import type { Postgres } from './postgres/pool.ts';
import { sql } from './postgres/sql.ts';
import type { ReadDb, Tx } from './postgres/sql.ts';

interface Resealing {
  keys: readonly string[];
  /**
   * Values that no key decrypts: API keys are renewed, PINs and the codes of shares deleted, endpoints of webhooks
   * disabled.
   */
  discards: boolean;
  now: Date;
}

type Counts = Record<SealedKind, number>;

interface Resealed extends Counts {
  /** Rows that no key decrypts, left as they are or discarded. */
  unopened: Counts;
}

/** Whether a row can be decrypted, and its values encrypted with the first key. */
type Renewal = (row: SealedRow, resealing: Resealing) => { isOpen: boolean; values: object };

const renewals: Readonly<Record<SealedKind, Renewal>> = {
  accounts: ({ apiKeySealed = null, pinSealed = null }, { keys }) => {
    const apiKey = openApiKey(apiKeySealed, keys);
    const pin = openSealed(pinSealed, 'PIN seal', keys);
    const isOpen = apiKey !== null && (pin === null) === (pinSealed === null);
    const renewedPin = pin === null ? null : seal(pin, 'PIN seal', keys);
    return { isOpen, values: { ...sealApiKey(apiKey ?? newApiKey(), keys), pinSealed: renewedPin } };
  },
  shares: ({ sealed = null, tokenHash = Buffer.alloc(0) }, { keys }) => {
    const secrets = openShareSecrets({ sealed, tokenHash }, keys);
    // A code that only the lost key decrypts is deleted; its link still works, by its hash.
    return { isOpen: secrets !== null, values: secrets ? sealShareSecrets(secrets, keys) : { sealed: null } };
  },
  webhooks: ({ secretSealed = null, previousSealed = null }, { keys, now }) => {
    const renewed = (secret: string) => seal(secret, 'webhook seal', keys);
    const secret = openSealed(secretSealed, 'webhook seal', keys);
    const previous = openSealed(previousSealed, 'webhook seal', keys);
    if (secret !== null)
      return {
        isOpen: true,
        values: {
          secretSealed: renewed(secret),
          previousSealed: previous === null ? null : renewed(previous),
        },
      };
    // The endpoint receives nothing until it has a new secret.
    const disabledAt = sql`coalesce(disabled_at, ${now})`;
    return {
      isOpen: false,
      values: { secretSealed: renewed(newWebhookSecret()), previousSealed: null, disabledAt },
    };
  },
};

/** Re-encrypts values of other keys with the first key. */
export const reseal = async (tx: Tx, resealing: Resealing): Promise<Resealed> => {
  const [first = ''] = resealing.keys;
  const writes = sealedWrites(tx);
  await writes.noteKey(keyIdOf(first));
  const opened = { accounts: 0, shares: 0, webhooks: 0 };
  const unopened = { ...opened };
  for (const kind of ['accounts', 'shares', 'webhooks'] as const)
    for (let after: number | undefined = 0; after !== undefined;) {
      const rows = await writes.sealedOtherwise(kind, { after, except: sealIdOf(first) });
      for (const row of rows) {
        const { isOpen, values } = renewals[kind](row, resealing);
        if (isOpen || resealing.discards) await writes.set(kind, row.id, values);
        (isOpen ? opened : unopened)[kind] += 1;
      }
      after = rows.at(-1)?.id;
    }
  return { ...opened, unopened };
};

/** Stored values that none of the keys decrypts, by kind and key. */
const unopenable = async (db: ReadDb, keys: readonly string[]): Promise<SealedCount[]> => {
  const ids = new Set(keys.map(keyIdOf));
  return (await sealedRepo(db).counts()).filter(({ key }) => !ids.has(key));
};

/**
 * Registers the first key, which encrypts from now on. Throws a ConfigError that lists the values that no key decrypts:
 * a service without that key would lose shares and API keys.
 */
export const assertOpens = async (
  { db, single }: Pick<Postgres, 'db' | 'single'>,
  keys: readonly string[],
): Promise<void> => {
  const [first = '', ...others] = keys.map(keyIdOf);
  const noted = await sealedRepo(db).keys();
  const missing = noted.filter((id) => id !== first && !others.includes(id));
  if (missing.length > 0) {
    assertNothingLost(await unopenable(db, keys));
    await single((tx) => sealedWrites(tx).forgetKeys(missing));
  }
  if (!noted.includes(first)) await single((tx) => sealedWrites(tx).noteKey(first));
};

const assertNothingLost = (lost: readonly SealedCount[]): void => {
  if (lost.length === 0) return;
  const lines = lost.map(({ kind, key, count }) => `${count} ${kind} (key ${key})`);
  throw new ConfigError([
    `ENCRYPTION_KEYS: ${lines.join(', ')} open with none of the keys. Add the key with which they were sealed to the end; ` +
      'if it is lost, `npm run ops -- secrets rotate --discard` renews these API keys, forgets these PINs and codes, and disables these webhooks',
  ]);
};
