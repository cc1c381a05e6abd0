/** Ages, counts and sizes in words. */

export const durationText = (minutes: number): string => {
  if (minutes < 1) return 'less than a minute';
  if (minutes < 120) return `${Math.floor(minutes)} min`;
  return minutes < 2_880 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1_440)} days`;
};

export const ageText = (at: Date, now: Date): string => {
  const minutes = (now.getTime() - at.getTime()) / 60_000;
  return minutes < 1 ? 'just now' : `${durationText(minutes)} ago`;
};

export const countText = (count: number): string => count.toLocaleString('en');

export const sizeText = (bytes: number): string => {
  if (bytes < 10_000) return `${bytes} B`;
  return bytes < 10_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${Math.round(bytes / 1e6)} MB`;
};
