import { z } from 'zod';
import { isPrintable } from '#domain/text/controls.ts';
import { appSchemeOf, returnUrlEntry } from '#domain/users/return-url.ts';

/** Shown to users in mails and when they approve a device login. */
export const applicationNameSchema = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine(isPrintable, 'must not have invisible characters or line breaks');

export const returnUrlHosts = {
  schema: z
    .string()
    .transform((given, ctx): string[] => {
      const parts = given.split(',').filter((part) => part.trim() !== '');
      const entries = parts.map(returnUrlEntry);
      const wrong = parts.find((_, index) => entries[index] === null);
      if (wrong === undefined) return entries.filter((entry) => entry !== null);
      ctx.addIssue(
        `"${wrong.trim()}" is neither a host such as efb.example nor an app scheme such as myefb:`,
      );
      return z.NEVER;
    })
    .optional(),
  text: 'Targets that a password reset may return to: hosts of https URLs and app schemes such as myefb:, comma-separated; "" for none.',
};

export const appScheme = {
  schema: z
    .string()
    .transform((given, ctx): string | null => {
      if (given.trim() === '') return null;
      const scheme = appSchemeOf(given);
      if (scheme !== null) return scheme;
      ctx.addIssue(`"${given.trim()}" is not the scheme of an app such as myefb`);
      return z.NEVER;
    })
    .optional(),
  text: 'Scheme of the links into the app, such as myefb; "" for app.',
};
