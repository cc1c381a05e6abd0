import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';

/** Names whose values never reach a log, at any depth (M-5.8 and beyond); any name containing `token` counts too. */
export const secretNames = [
  'dev_key',
  'devkey',
  'x-dev-key',
  'api_key',
  'apikey',
  'x-api-key',
  'x-signature',
  'signature',
  'password',
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'pin',
  'sharecode',
  'hash',
  'signedpayload',
  'secret',
  'safety_code',
  'card',
  'cardnumber',
  'cardlast4',
  'address',
  'qrpayload',
  'deeplink',
  'shareurl',
] as const;

const secret: ReadonlySet<string> = new Set(secretNames);

export const isSecretName = (name: string): boolean => {
  const lower = name.toLowerCase();
  return secret.has(lower) || lower.includes('token');
};

export const createLogger = (application: string, level: string, destination?: DestinationStream): Logger =>
  pino(
    {
      level,
      base: { app: application },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: secretNames
          .flatMap((name) => [`["${name}"]`, `*["${name}"]`])
          .concat('DATABASE_URL', 'REDIS_URL', '*.token'),
        censor: '[redacted]',
      },
    },
    destination ?? pino.destination({ dest: 1, sync: false }),
  );
