/** Virtual airlines in the form of the user object (M-2.7.u8-u10, u15-u17). */
import { z } from 'zod';

// Logos: a URL on another server, or a stored image.
export const logoTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;
export type LogoType = (typeof logoTypes)[number];

export const maxLogoBytes = 524_288;

const storedLogo = /^logos\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/;

/** Path of a stored logo, which the airline refers to. Each has a new id, so a URL never shows another. */
export const logoPath = (id: string): string => `logos/${id}`;

/** The id in a stored logo's path; null for any other text. */
export const logoIdOf = (path: string): string | null => storedLogo.exec(path)?.[1] ?? null;

const logoUrl = (baseUrl: string, logo: string): string =>
  logoIdOf(logo) === null ? logo : `${baseUrl}/${logo}`;

export interface VirtualAirline {
  id: number;
  name: string;
  website: string | null;
  contactEmail: string | null;
  logo: string | null;
  logoDark: string | null;
  logoWhite: string | null;
  isPartner: boolean;
  legacyName: string | null;
}

const shape = {
  id: z.int(),
  name: z.string(),
  website: z.string().nullable(),
  contactEmail: z.string().nullable(),
};
const oneLogo = { logo: z.string().nullable() };
const twoLogos = { logoDark: z.string(), logoWhite: z.string() };

/** One `logo`, or one each for dark and white backgrounds. */
const vaItemSchema = z.union([
  z.strictObject({ ...shape, ...oneLogo }),
  z.strictObject({ ...shape, ...twoLogos }),
]);

const vaMembershipItemSchema = z.union([
  z.strictObject({ ...shape, ...oneLogo, isActive: z.boolean() }),
  z.strictObject({ ...shape, ...twoLogos, isActive: z.boolean() }),
]);

type VaItem = z.output<typeof vaItemSchema>;
type VaMembershipItem = z.output<typeof vaMembershipItemSchema>;

/** `baseUrl`: of this service, for stored logos. */
export const vaItem = (va: VirtualAirline, baseUrl: string): VaItem => {
  const { id, name, website, contactEmail, logo, logoDark, logoWhite } = va;
  const common = { id, name, website, contactEmail };
  return logoDark !== null && logoWhite !== null
    ? { ...common, logoDark: logoUrl(baseUrl, logoDark), logoWhite: logoUrl(baseUrl, logoWhite) }
    : { ...common, logo: logo && logoUrl(baseUrl, logo) };
};

/** A user's partners, memberships and active airline, from the airlines that concern them. */
interface VaView {
  vaPartners: VaItem[];
  vaMemberships: VaMembershipItem[];
  activeVa: VaItem | null;
  virtual_airline: string | null;
}

export const vaViewShape = {
  vaPartners: z.array(vaItemSchema),
  vaMemberships: z.array(vaMembershipItemSchema),
  activeVa: vaItemSchema.nullable(),
};

export const vaView = (
  airlines: readonly VirtualAirline[],
  memberOf: readonly number[],
  activeVaId: number | null,
  baseUrl: string,
): VaView => {
  const memberships = airlines.filter(({ id }) => memberOf.includes(id));
  const active = memberships.find(({ id }) => id === activeVaId) ?? null;
  return {
    vaPartners: airlines.filter(({ isPartner }) => isPartner).map((va) => vaItem(va, baseUrl)),
    vaMemberships: memberships.map((va) => ({ ...vaItem(va, baseUrl), isActive: va.id === active?.id })),
    activeVa: active && vaItem(active, baseUrl),
    virtual_airline: active?.legacyName ?? null,
  };
};
