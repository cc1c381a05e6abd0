import { addSeconds } from '#domain/time.ts';

const day = 86_400;
/** Of this time every backup is kept. */
const wholeDays = 2;
/** The last one of each day. */
const days = 14;
const namePattern = /^efb-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.tar\.zst$/;

/** Name of a backup in its place: `efb-20261123T062300Z.tar.zst`. */
export const backupNameOf = (takenAt: Date): string =>
  `efb-${takenAt.toISOString().replaceAll(/[-:]|\.\d+/g, '')}.tar.zst`;

/** The moment whose state a backup of this name has; null for another file. */
export const timeOf = (name: string): Date | null =>
  namePattern.test(name) ? new Date(name.replace(namePattern, '$1-$2-$3T$4:$5:$6Z')) : null;

/** Which backups have had their time: not of the last two days, nor the last of one of the last two weeks. */
export const expiredBackups = (names: readonly string[], now: Date): string[] => {
  const found = names
    .flatMap((name) => {
      const at = timeOf(name);
      return at ? [{ name, at }] : [];
    })
    .toSorted((a, b) => b.at.getTime() - a.at.getTime());
  const daysSeen = new Set<string>();
  return found
    .filter(({ at }) => {
      const date = at.toISOString().slice(0, 10);
      const isLastOfDay = !daysSeen.has(date);
      daysSeen.add(date);
      return at < addSeconds(now, -(isLastOfDay ? days : wholeDays) * day);
    })
    .map(({ name }) => name);
};
