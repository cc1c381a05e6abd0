import type { VaRow } from '#store/postgres/virtual-airlines/virtual-airlines.ts';

const partner = {
  logo: null,
  logoDark: null,
  logoWhite: null,
  isPartner: true,
  legacyName: null,
  libraryQuotaMb: 0,
};

/** Fictional partner airlines: one with a single logo, two with a pair of logos. */
export const demoPartners: readonly Omit<VaRow, 'id'>[] = [
  {
    ...partner,
    name: 'Northern Lights Virtual',
    website: 'https://northernlights.example',
    contactEmail: 'crew@northernlights.example',
    logo: 'https://northernlights.example/logo.svg',
    legacyName: 'NORTHERN_LIGHTS',
  },
  {
    ...partner,
    name: 'Meridian Virtual Airways',
    website: 'https://meridian.example',
    contactEmail: 'ops@meridian.example',
    logoDark: 'https://meridian.example/logo-dark.svg',
    logoWhite: 'https://meridian.example/logo-white.svg',
  },
  {
    ...partner,
    name: 'Harbour Island Air',
    website: 'https://harbourisland.example',
    contactEmail: 'hello@harbourisland.example',
    logoDark: 'https://harbourisland.example/logo-dark.svg',
    logoWhite: 'https://harbourisland.example/logo-white.svg',
  },
];
