/** Whose profile a calculation used, and in what it differs from the standard aircraft. */
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { LandingAnswer } from '#domain/performance/result.ts';
import type { LoadedAircraft } from '../../../services/standard-aircraft.ts';

/** More would fill the answer: the profile itself has all of them. */
const mostDifferences = 12;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Paths of the values that count and differ, with the value and that of the standard aircraft. */
const differencesOf = (own: unknown, standard: unknown, path = ''): string[] => {
  if (isObject(own) && isObject(standard) && Array.isArray(own) === Array.isArray(standard)) {
    const names = new Set([...Object.keys(own), ...Object.keys(standard)]);
    return [...names].flatMap((name) =>
      differencesOf(own[name], standard[name], path === '' ? name : `${path}.${name}`),
    );
  }
  if (own === standard) return [];
  const shown = (value: unknown): string =>
    isObject(value) ? 'another list' : JSON.stringify(value ?? null);
  return [`${path} ${shown(own)} (${shown(standard)})`];
};

/** Names and checklists, and golden points of the standard aircraft, change no calculation. */
const others: ReadonlySet<string> = new Set(['profile', 'checklists', 'vectors', 'formData']);
const calculating = (profile: AircraftProfile): Record<string, unknown> =>
  Object.fromEntries(Object.entries(profile).filter(([name]) => !others.has(name)));

export const aircraftApplied = ({
  profile,
  file,
  standard,
}: LoadedAircraft): NonNullable<LandingAnswer['applied']> => {
  const { userRegistration, virtualAirline } = profile.profile;
  if (!standard) return [{ name: 'Aircraft', value: file, unit: '', source: 'standard' }];
  const differences = differencesOf(calculating(profile), calculating(standard));
  const more = differences.length - mostDifferences;
  const listed = [...differences.slice(0, mostDifferences), ...(more > 0 ? [`and ${more} more`] : [])];
  return [
    {
      name: 'Aircraft',
      value: userRegistration ?? file,
      unit: '',
      source: virtualAirline === null ? `profile ${file}` : `profile ${file} of ${virtualAirline}`,
    },
    {
      name: `Differs from ${standard.id}`,
      value: listed.length > 0 ? listed.join(', ') : 'nothing',
      unit: '',
      source: `profile ${file}`,
    },
  ];
};
