/** Whose profile a calculation used, and in what it differs from the standard aircraft. */
import { calculatingPart, differencesOf, differencesText } from '#domain/aircraft/differences.ts';
import type { LandingAnswer } from '#domain/performance/result.ts';
import type { LoadedAircraft } from '../../../services/standard-aircraft.ts';

/** More would fill the answer: the profile itself has all of them. */
const mostDifferences = 12;

export const aircraftApplied = ({
  profile,
  file,
  standard,
}: LoadedAircraft): NonNullable<LandingAnswer['applied']> => {
  const { userRegistration, virtualAirline } = profile.profile;
  if (!standard) return [{ name: 'Aircraft', value: file, unit: '', source: 'standard' }];
  const differences = differencesOf(calculatingPart(profile), calculatingPart(standard));
  return [
    {
      name: 'Aircraft',
      value: userRegistration ?? file,
      unit: '',
      source: virtualAirline === null ? `profile ${file}` : `profile ${file} of ${virtualAirline}`,
    },
    {
      name: `Differs from ${standard.id}`,
      value: differencesText(differences, mostDifferences) || 'nothing',
      unit: '',
      source: `profile ${file}`,
    },
  ];
};
