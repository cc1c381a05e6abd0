/** Flags of `va create` and `va update`, and what they change. */
import { z } from 'zod';
import { LogoError, readLogo } from '#data/logos/read-logo.ts';
import type { LogoFile } from '#data/logos/read-logo.ts';
import type { VaRow } from '#data/postgres/virtual-airlines/virtual-airlines.ts';
import { requiredTextField } from '#domain/fields/index.ts';
import { isPrintable } from '#domain/text/controls.ts';
import { UsageError } from '#operator/verb.ts';
import type { Flag } from '#operator/verb.ts';
import { clearable, maybeInteger, maybeYesNo } from '#operator/flags.ts';

const nameRule = 'must have 1 to 100 visible characters in one line';
const nameSchema = requiredTextField(100, { missing: nameRule, invalid: nameRule }).refine(
  isPrintable,
  nameRule,
);
export const vaName = { schema: nameSchema, text: 'Name of the airline.' } satisfies Flag;
export const maybeVaName = { schema: nameSchema.optional(), text: 'New name.' } satisfies Flag;

const emptySchema = z.literal('').transform(() => null);
const webUrl = /^https?:\/\//i;
const webUrlSchema = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });

const logo = (help: string) =>
  clearable(`${help}: URL, or PNG, JPEG or WebP file of at most 512 kB; empty for none.`);

export const vaDetails = {
  website: {
    schema: z.union([emptySchema, webUrlSchema], 'must be an http or https URL').optional(),
    text: 'Website URL; empty for none.',
  },
  'contact-email': {
    schema: z.union([emptySchema, z.email('must be an email address')]).optional(),
    text: 'Email address; empty for none.',
  },
  logo: logo('The single logo'),
  'logo-dark': logo('The dark logo, with --logo-white'),
  'logo-white': logo('The white logo, with --logo-dark'),
  partner: maybeYesNo('yes or no; a partner is shown to every user.'),
  'legacy-name': clearable('Name in the legacy field virtual_airline; empty for none.'),
  'library-quota-mb': maybeInteger('Library storage of the airline in MB.', 0),
};

export type VaDetails = { [K in keyof typeof vaDetails]: z.output<(typeof vaDetails)[K]['schema']> };

export const blankVa: Omit<VaRow, 'id' | 'name'> = {
  website: null,
  contactEmail: null,
  logo: null,
  logoDark: null,
  logoWhite: null,
  isPartner: false,
  legacyName: null,
  libraryQuotaMb: 0,
};

export type LogoFiles = Partial<Record<'logo' | 'logoDark' | 'logoWhite', LogoFile>>;

/** The files among the given logos, read; the others are URLs. */
export const logoFilesOf = async (values: VaDetails): Promise<LogoFiles> => {
  const given = { logo: values.logo, logoDark: values['logo-dark'], logoWhite: values['logo-white'] };
  const files: LogoFiles = {};
  for (const kind of ['logo', 'logoDark', 'logoWhite'] as const) {
    const path = given[kind];
    if (typeof path !== 'string') continue;
    if (webUrl.test(path)) {
      if (!URL.canParse(path)) throw new UsageError(`${path} is not a URL`);
      continue;
    }
    try {
      files[kind] = await readLogo(path);
    } catch (error) {
      if (error instanceof LogoError) throw new UsageError(error.message);
      throw error;
    }
  }
  return files;
};

/** The row with the given details; omitted ones are unchanged. */
export const changedVa = <T extends Omit<VaRow, 'id'>>(before: T, values: VaDetails): T => {
  const pick = <V>(value: V | undefined, old: V): V => (value === undefined ? old : value);
  const after = {
    ...before,
    website: pick(values.website, before.website),
    contactEmail: pick(values['contact-email'], before.contactEmail),
    logo: pick(values.logo, before.logo),
    logoDark: pick(values['logo-dark'], before.logoDark),
    logoWhite: pick(values['logo-white'], before.logoWhite),
    isPartner: pick(values.partner, before.isPartner),
    legacyName: pick(values['legacy-name'], before.legacyName),
    libraryQuotaMb: pick(values['library-quota-mb'], before.libraryQuotaMb),
  };
  if ((after.logoDark === null) !== (after.logoWhite === null)) {
    throw new UsageError('--logo-dark and --logo-white must be used together');
  }
  return after;
};
