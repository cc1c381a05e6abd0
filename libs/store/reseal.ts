/** Values that are stored sealed: which of them open, and their renewal with the first key (ENCRYPTION_KEYS). */
import { newApiKey, openApiKey, openPin, sealApiKey, sealPin } from './auth/api-keys.ts';
import { sealIdOf } from './auth/sealing.ts';
import { openShareSecrets, sealShareSecrets } from './auth/share-secrets.ts';
import { newWebhookSecret, openWebhookSecret, sealWebhookSecret } from './auth/webhook-secrets.ts';
import { ConfigError, keyIdOf } from '#platform/config/config.ts';
import { sealedRepo, sealedWrites } from './postgres/users/sealed.ts';
import type {
  SealedCount,
  StoredAccountSecrets,
  StoredShareSecrets,
  StoredWebhookSecrets,
} from './postgres/users/sealed.ts';
import type { Postgres } from './postgres/pool.ts';
import type { ReadDb, Tx } from './postgres/sql.ts';

interface Resealing {
  keys: readonly string[];
  /** What opens with no key: API keys are renewed, PINs and the codes of shares forgotten, endpoints of webhooks disabled. */
  discards: boolean;
  now: Date;
}

interface Resealed {
  accounts: number;
  shares: number;
  webhooks: number;
  /** Rows that open with no key, left as they are or discarded. */
  unopened: { accounts: number; shares: number; webhooks: number };
}

/** What of an account opens; `undefined` is stored, but opens with no key. */
const accountSecrets = (row: StoredAccountSecrets, keys: readonly string[]) => ({
  apiKey: openApiKey(row.apiKeySealed, keys) ?? undefined,
  pin: row.pinSealed === null ? null : (openPin(row.pinSealed, keys) ?? undefined),
});

const resealAccount = async (tx: Tx, row: StoredAccountSecrets, { keys, discards }: Resealing) => {
  const { apiKey, pin } = accountSecrets(row, keys);
  const isOpen = apiKey !== undefined && pin !== undefined;
  if (!isOpen && !discards) return false;
  const pinSealed = pin === undefined || pin === null ? null : sealPin(pin, keys);
  await sealedWrites(tx).setAccount(row.id, sealApiKey(apiKey ?? newApiKey(), keys), pinSealed);
  return isOpen;
};

const resealShare = async (tx: Tx, row: StoredShareSecrets, { keys, discards }: Resealing) => {
  const secrets = openShareSecrets(row, keys);
  if (secrets || discards)
    await sealedWrites(tx).setShare(row.id, secrets && sealShareSecrets(secrets, keys));
  return secrets !== null;
};

const resealWebhook = async (
  tx: Tx,
  { id, sealed, previous }: StoredWebhookSecrets,
  { keys, discards, now }: Resealing,
) => {
  const secret = openWebhookSecret(sealed, keys);
  const before = openWebhookSecret(previous, keys);
  const writes = sealedWrites(tx);
  if (secret !== null)
    await writes.setWebhook(
      id,
      sealWebhookSecret(secret, keys),
      before === null ? null : sealWebhookSecret(before, keys),
    );
  else if (discards) await writes.endWebhook(id, sealWebhookSecret(newWebhookSecret(), keys), now);
  return secret !== null;
};

const inBatches = async <Row extends { id: number }>(
  next: (after: number) => Promise<Row[]>,
  work: (row: Row) => Promise<boolean>,
): Promise<{ opened: number; unopened: number }> => {
  const counts = { opened: 0, unopened: 0 };
  for (let after = 0; ;) {
    const rows = await next(after);
    const last = rows.at(-1);
    if (!last) return counts;
    for (const row of rows) counts[(await work(row)) ? 'opened' : 'unopened'] += 1;
    after = last.id;
  }
};

/** Seals with the first key what was sealed with another one. */
export const reseal = async (tx: Tx, resealing: Resealing): Promise<Resealed> => {
  const { keys } = resealing;
  const except = sealIdOf(keys[0] ?? '');
  const writes = sealedWrites(tx);
  await writes.noteKey(keyIdOf(keys[0] ?? ''));
  const accounts = await inBatches(
    (after) => writes.accounts({ after, except }),
    (row) => resealAccount(tx, row, resealing),
  );
  const shares = await inBatches(
    (after) => writes.shares({ after, except }),
    (row) => resealShare(tx, row, resealing),
  );
  const webhooks = await inBatches(
    (after) => writes.webhooks({ after, except }),
    (row) => resealWebhook(tx, row, resealing),
  );
  return {
    accounts: accounts.opened,
    shares: shares.opened,
    webhooks: webhooks.opened,
    unopened: { accounts: accounts.unopened, shares: shares.unopened, webhooks: webhooks.unopened },
  };
};

/** What is stored and opens with none of the keys, by kind and key. */
const unopenable = async (db: ReadDb, keys: readonly string[]): Promise<SealedCount[]> => {
  const ids = new Set(keys.map(keyIdOf));
  return (await sealedRepo(db).counts()).filter(({ key }) => !ids.has(key));
};

/**
 * Notes the first key, which seals from now on. Throws a ConfigError that lists what opens with no key: a service without it would
 * lose shares and API keys.
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
