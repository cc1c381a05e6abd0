/** The permissions of an application as fields of a form. */
import { z } from 'zod';
import { permissionTexts } from '#domain/developers/permissions.ts';
import type { Permissions } from '#domain/developers/permissions.ts';
import { checkbox, field, select } from '../../site/parts.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';

const isCheckedSchema = z
  .literal('yes')
  .optional()
  .transform((value) => value === 'yes');
const noneOr = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.union([z.literal('').transform(() => null), z.enum(values)]);

/** Of the form; `reason` is what the operator reads. */
export const permissionFields = {
  user_info: noneOr(['SIMPLE', 'MEDIUM', 'FULL']),
  subscription: noneOr(['READ', 'FULL']),
  weather: isCheckedSchema,
  efb: isCheckedSchema,
  library: isCheckedSchema,
  reason: z.string().trim().max(500).default(''),
};

const permissionFieldsSchema = z.object(permissionFields);

export const askedOf = ({
  user_info: userInfo,
  subscription,
  weather,
  efb,
  library,
}: z.output<typeof permissionFieldsSchema>): Permissions => ({
  userInfo,
  subscription,
  weather,
  efb,
  library,
});

export const permissionInputs = (shown: Permissions): Html =>
  html`<fieldset>
      <legend>Permissions</legend>
      ${checkbox(permissionTexts.weather, 'weather', shown.weather)}${checkbox(permissionTexts.efb, 'efb', shown.efb)}${checkbox(`${permissionTexts.library} *`, 'library', shown.library)}
    </fieldset>
    ${select(
      permissionTexts.userInfo,
      'user_info',
      [
        ['', 'none'],
        ['SIMPLE', 'SIMPLE'],
        ['MEDIUM', 'MEDIUM *'],
        ['FULL', 'FULL *'],
      ],
      shown.userInfo ?? '',
    )}
    ${select(
      permissionTexts.subscription,
      'subscription',
      [
        ['', 'none'],
        ['READ', 'READ *'],
        ['FULL', 'FULL *'],
      ],
      shown.subscription ?? '',
    )}
    ${field('What for', 'reason', html`maxlength="500"`, 'What is marked with * is granted by the operator, who reads this.')}`;
