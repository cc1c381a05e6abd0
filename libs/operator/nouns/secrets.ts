import { keyIdOf } from '#platform/config/config.ts';
import { sealedRepo } from '#store/postgres/users/sealed.ts';
import { reseal } from '#store/reseal.ts';
import { DomainError } from '#domain/errors.ts';
import { flagSwitch } from '../flags.ts';
import { localVerb, view } from '../verb.ts';
import type { Noun } from '../verb.ts';

export const secrets: Noun = {
  name: 'secrets',
  title: 'Secrets',
  summary:
    'What is stored encrypted with ENCRYPTION_KEYS: API keys, PINs, links and codes of shares, secrets of webhooks.',
  verbs: {
    list: view({
      summary: 'Counts what each key has encrypted; a key that has nothing left may be removed.',
      flags: {},
      run: async ({ db, config: { ENCRYPTION_KEYS: keys } }) => {
        const positions = new Map(keys.map((key, index) => [keyIdOf(key), index + 1]));
        const counts = await sealedRepo(db).counts();
        return {
          data: { secrets: counts.map((each) => ({ ...each, position: positions.get(each.key) ?? null })) },
        };
      },
    }),
    rotate: localVerb({
      summary: 'Encrypts everything again with the first key, while the service runs.',
      flags: {
        discard: flagSwitch(
          'What opens with none of the keys is given up: these API keys are renewed, PINs removed, these shares work by link only, and these endpoints are disabled.',
        ),
      },
      run: async ({ change, now, config: { ENCRYPTION_KEYS: keys } }, { discard: discards }) => {
        const done = await change(async (tx, trail) => {
          const resealed = await reseal(tx, { keys, discards, now });
          trail.noted('secrets', 'stored', null, { ...resealed, key: keyIdOf(keys[0] ?? '') });
          return resealed;
        });
        const { accounts, shares, webhooks } = done.unopened;
        if (accounts + shares + webhooks > 0 && !discards)
          throw new DomainError(
            'NO_KEY',
            {},
            `${accounts} accounts, ${shares} shares and ${webhooks} webhook endpoints open with none of the keys and are as before; the others are done. Add their key to ENCRYPTION_KEYS, or give them up with --discard.`,
          );
        return {
          data: { ...done },
          text: `Encrypted again: the secrets of ${done.accounts} accounts, ${done.shares} shares and ${done.webhooks} webhook endpoints. Given up: ${accounts} accounts, ${shares} shares, ${webhooks} endpoints.`,
        };
      },
    }),
  },
};
