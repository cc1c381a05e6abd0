import { z } from 'zod';
import { tokenLifetimeSeconds, tokenState } from '#domain/console/token.ts';
import { addSeconds } from '#domain/time.ts';
import { hashOfSecret, newSecret } from '#store/auth/secrets.ts';
import { consoleTokenRepo, consoleTokenWrites } from '#store/postgres/console/tokens.ts';
import { addressOf } from '#platform/config/config.ts';
import type { Config } from '#platform/config/config.ts';
import { readRunning } from '#platform/embedded/running.ts';
import { integer, limit as maxRows, row } from '../flags.ts';
import { change, localVerb, view } from '../verb.ts';
import type { Noun } from '../verb.ts';

/** The configured address, else the one where a service on this machine listens. */
const addressInUse = ({ BASE_URL, DATA_DIR, HOST, PORT }: Config): string =>
  BASE_URL === addressOf(HOST, PORT) ? (readRunning(DATA_DIR)?.address ?? BASE_URL) : BASE_URL;

export const consoleNoun: Noun = {
  name: 'console',
  title: 'Console tokens',
  summary: 'Tokens for the console at /console.',
  kind: 'console token',
  verbs: {
    token: localVerb({
      summary:
        'Issues a token and shows it once; it signs in once, within 12 hours, and its session ends with it.',
      flags: {
        name: {
          schema: z
            .string()
            .trim()
            .regex(/^[^\p{Cc}]{1,60}$/u, 'must have 1 to 60 characters')
            .optional(),
          text: 'Who it is for; changes are recorded under this name. Default: your user name.',
        },
      },
      run: async (tools, { name = tools.userName }) => {
        const { config, now: createdAt } = tools;
        const token = `ct_${newSecret()}`;
        const expiresAt = addSeconds(createdAt, tokenLifetimeSeconds);
        const issued = { name, tokenHash: hashOfSecret(token), createdAt, expiresAt };
        const id = await tools.change(async (tx, trail) => {
          const added = await consoleTokenWrites(tx).add(issued);
          trail.created('console token', added);
          return added;
        });
        const url = `${addressInUse(config)}/console`;
        const off = config.CONSOLE === 'off' ? '\nThe console is switched off (CONSOLE=off).' : '';
        return {
          data: { id, name, token, expiresAt, url },
          text: `${token}\nSign in at ${url}, once, before ${expiresAt.toISOString()}.${off}`,
        };
      },
    }),
    list: view({
      summary: 'Lists tokens, newest first, without their secrets.',
      flags: { limit: maxRows },
      run: async ({ db, now }, { limit }) => {
        const tokens = await consoleTokenRepo(db).list(limit);
        return {
          data: { tokens: tokens.map((token) => ({ ...token, state: tokenState(token, now) })) },
          offers: ({ revokedAt }) => (revokedAt === null ? ['revoke'] : []),
        };
      },
    }),
    revoke: change({
      summary: 'Revokes a token and ends its session immediately.',
      flags: { id: row('console token', integer('Id of the token (console list).')) },
      run: ({ tx, now }, { id }) => consoleTokenWrites(tx).revoke(id, now),
    }),
  },
};
