import { isIcaoCode } from './ident.ts';

/** Changed codes, former and current, for sources that name only one. Weather may be reported under either. */
const renamed: readonly (readonly [former: string, present: string])[] = [
  ['FAJS', 'FAOR'],
  ['FBFT', 'FBPM'],
  ['FLLI', 'FLHN'],
  ['FLLS', 'FLKK'],
  ['FVBU', 'FVJN'],
  ['FVHA', 'FVRG'],
  ['HEBA', 'HEAX'],
  ['KPBI', 'KDJT'],
  ['LYPR', 'BKPR'],
  ['MHSC', 'MHPR'],
  ['OPGD', 'OPGW'],
  ['SPIM', 'SPJC'],
  ['UAFM', 'UCFM'],
  ['UAFO', 'UCFO'],
  ['UTFN', 'UZFN'],
  ['UTNN', 'UZNN'],
  ['UTNU', 'UZNU'],
  ['UTSB', 'UZSB'],
  ['UTSS', 'UZSS'],
  ['UTTT', 'UZTT'],
  ['VEVZ', 'VOVZ'],
  ['WARQ', 'WAHQ'],
  ['WARS', 'WAHS'],
  ['WIPT', 'WIEE'],
];

/**
 * Former codes of an airport in OurAirports: its identifier, and four-letter keywords in capitals. As these may also be
 * abbreviations, only codes with the region's first letter count.
 */
export const formerIcaosOf = (icao: string, ident: string, keywords: string): string[] => {
  const ofRegion = keywords.split(',').map((word) => word.trim());
  const found = [ident, ...ofRegion.filter((word) => word.startsWith(icao.charAt(0)))];
  return [
    ...new Set(found.filter((code) => /^[A-Z]{4}$/.test(code) && isIcaoCode(code) && code !== icao)),
  ].sort();
};

/** An airport in service with its former codes. */
export interface IcaoHistory {
  icao: string;
  formerIcaos: readonly string[];
}

const presentIcaos = new Map(renamed);

/** The code that replaced this one, or the code itself; from `renamed` only. */
export const presentIcaoOf = (icao: string): string => presentIcaos.get(icao) ?? icao;

/** Codes of `renamed`. */
export const renamedIcaos: readonly string[] = renamed.flat();

/**
 * All codes of an airport by each of them, the current one first. `airports` are those with former codes or in
 * `renamedIcaos`; codes that are in service themselves (`inService`) or claimed by two airports are left out.
 */
export const icaoGroups = (
  airports: readonly IcaoHistory[],
  inService: ReadonlySet<string>,
): ReadonlyMap<string, readonly string[]> => {
  const claims = new Map<string, Set<string>>();
  const claim = (former: string, present: string) => {
    if (!inService.has(former)) claims.set(former, (claims.get(former) ?? new Set<string>()).add(present));
  };
  for (const { icao, formerIcaos } of airports) for (const former of formerIcaos) claim(former, icao);
  for (const [former, present] of renamed)
    if (inService.has(former)) claim(present, former);
    else claim(former, present);
  const groups = new Map<string, string[]>();
  for (const [former, [present = '', ...others]] of claims)
    if (others.length === 0) groups.set(present, [...(groups.get(present) ?? [present]), former]);
  return new Map([...groups.values()].flatMap((group) => group.map((code) => [code, group])));
};
