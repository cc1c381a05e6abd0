import { wantedLevelsHpa } from './fields.ts';

/** Adds the wanted parameters and levels to the address of the NOMADS field filter. */
export const withFilterFields = (url: string): string => {
  const parsed = new URL(url);
  if (!/\/filter_gfs_[^/]*\.pl$/.test(parsed.pathname)) return url;
  for (const name of ['UGRD', 'VGRD', 'TMP']) parsed.searchParams.set(`var_${name}`, 'on');
  for (const level of wantedLevelsHpa) parsed.searchParams.set(`lev_${level}_mb`, 'on');
  return parsed.toString();
};
