import type { CatalogueEntry, FormOption } from '#domain/aircraft/catalogue.ts';
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { mostDepthMm } from '../landing/profile-lookup.ts';
import { defaultOf, defaultRating } from './profile-defaults.ts';

export const autolandSuffix = '_AUTOLAND';

interface Listed {
  value: string;
  label: string;
  order: number;
  isDefault?: boolean;
}

const option = (entry: Listed, paramName: string, rest: Partial<FormOption> = {}): FormOption => ({
  description: entry.label,
  value: entry.value,
  order: entry.order,
  isDefault: entry.isDefault ?? false,
  paramName,
  ...rest,
});

/** Options of a list with a default; exactly one is marked as such. */
const optionsOf = (list: readonly (Listed & { isDefault: boolean })[], paramName: string): FormOption[] => {
  const silent = defaultOf(list);
  return list.map((entry) => option({ ...entry, isDefault: entry.value === silent }, paramName));
};

const flapOptions = (profile: AircraftProfile): FormOption[] => {
  const flaps = profile.flaps.filter((flap) => flap.landing);
  const familyA = profile.family === 'A';
  const list: FormOption[] = familyA
    ? [option({ value: 'OPTIMUM', label: 'Optimum', order: 0, isDefault: true }, 'configuration.flap')]
    : [];
  const add = (value: string, label: string, isDefault: boolean, autolandAvailable: boolean): void => {
    list.push(
      option({ value, label, order: list.length, isDefault }, 'configuration.flap', { autolandAvailable }),
    );
  };
  for (const flap of flaps) add(flap.code, flap.label, !familyA && flap.isDefault, flap.autolandAvailable);
  if (!profile.landing.autolandFlapsOption) return list;
  for (const flap of flaps) {
    if (flap.autolandAvailable) add(`${flap.code}${autolandSuffix}`, `${flap.label} autoland`, false, true);
  }
  return list;
};

const conditionOptions = (
  profile: AircraftProfile,
  mode: keyof AircraftProfile['conditions'],
): FormOption[] =>
  profile.conditions[mode].map((condition) =>
    option(condition, 'runwayCondition.state', {
      isSlippery: condition.isSlippery,
      requiresDepth: condition.requiresDepth,
      ...(condition.shortDisplay === undefined ? {} : { shortDisplay: condition.shortDisplay }),
      ...(condition.requiresDepth
        ? { minValue: condition.minDepthMm, maxValue: mostDepthMm(profile, condition) }
        : {}),
    }),
  );

const nonNormalOptions = (profile: AircraftProfile): FormOption[] => {
  const paramName = 'configuration.nonNormalCondition';
  const none = option({ value: 'NONE', label: 'None', order: 0, isDefault: true }, paramName, {
    vrefAdd: 0,
    flap: null,
    autobrakeInop: false,
    autolandAvailable: true,
  });
  const rest = profile.nonNormal.map((entry) =>
    option({ ...entry, order: entry.order + 1 }, paramName, {
      vrefAdd: entry.vref?.addKt ?? 0,
      flap: entry.flap,
      autobrakeInop: !entry.autobrakeAllowed || (entry.effect.autobrakeInop ?? false),
      autolandAvailable: false,
      source: entry.source,
    }),
  );
  return [none, ...rest];
};

const autobrakeOptions = (profile: AircraftProfile): FormOption[] => {
  const paramName = 'configuration.autobrake';
  const list = profile.autobrakes.map((mode) => option(mode, paramName, { autobrakeInop: false }));
  if (profile.family === 'A') return list;
  return [
    option({ value: 'ALL', label: 'All', order: 0, isDefault: true }, paramName),
    ...list.map((entry) => ({ ...entry, order: entry.order + 1, isDefault: false })),
  ];
};

const inopItems = (profile: AircraftProfile): { mel: FormOption[]; cdl: FormOption[] } => {
  const list = (kind: 'mel' | 'cdl'): FormOption[] =>
    profile[kind].map(({ effect, source, ...item }) =>
      option(item, `inopItems.${kind}`, {
        autobrakeInop: effect.autobrakeInop ?? false,
        vrefAdd: effect.vrefAddKt ?? 0,
        autolandAvailable: !(effect.autolandInop ?? false),
        source,
      }),
    );
  return { mel: list('mel'), cdl: list('cdl') };
};

/** Lists of options that a landing and a takeoff request may use; configuration values outside them are refused. */
export const formData = (profile: AircraftProfile): Record<string, unknown> => {
  const { options, takeoff } = profile;
  const ai = optionsOf(options.antiIce, 'configuration.antiIce');
  const acBleed = optionsOf(options.acBleed, 'configuration.acBleed');
  const cgPosition = optionsOf(options.cgPosition, 'weight.cgPosition');
  const inopitem = inopItems(profile);
  const silent = defaultRating(profile);
  const named = (value: string, label: string, order: number, paramName: string): FormOption =>
    option({ value, label, order, isDefault: order === 0 }, paramName);
  return {
    takeoff: {
      acBleed,
      ai,
      cgPosition,
      condition: conditionOptions(profile, 'dispatch'),
      flap: ['OPTIMUM', ...takeoff.flaps].map((flap, order) =>
        named(flap, flap === 'OPTIMUM' ? 'Optimum' : `Flaps ${flap}`, order, 'configuration.flap'),
      ),
      improved: ['Off', ...(takeoff.improved ? ['Improved climb'] : [])].map((label, order) =>
        named(order === 0 ? 'OFF' : 'ON', label, order, 'configuration.improvedClimb'),
      ),
      inopitem,
      rating: takeoff.ratings.map((rating, order) =>
        option({ ...rating, order, isDefault: rating.value === silent }, 'configuration.rating'),
      ),
    },
    landing: {
      acBleed,
      ai,
      autobrake: autobrakeOptions(profile),
      catiiIii: optionsOf(options.approachType, 'configuration.approachType'),
      flap: flapOptions(profile),
      groundSpoilers: optionsOf(options.groundSpoilers, 'configuration.speedbrake'),
      reversers: optionsOf(options.reversers, 'configuration.reverser'),
      nonNormalConf: nonNormalOptions(profile),
      conditionDispatch: conditionOptions(profile, 'dispatch'),
      conditionEnroute: conditionOptions(profile, 'enroute'),
      inopitem,
      cgPosition,
    },
    userEditedRawData: profile.formData?.userEditedRawData ?? null,
  };
};

const windLimit = (limit: AircraftProfile['landing']['windLimit']): Record<string, unknown> => ({
  ...limit,
  crosswindLimitsPerRunwayConditions: limit.crosswindLimitsPerRunwayConditions.map(
    ({ rwycc: _rwycc, increaseableWindLimitLdaAboveM: _above, ...row }) => row,
  ),
});

/**
 * Identity of a profile: `profile` and `model` of the catalogue. `file` is the profile id unless a fleet row
 * has its own name.
 */
export const catalogueEntry = (profile: AircraftProfile, file = profile.id): CatalogueEntry => {
  const { title, description, isBeta, userRegistration, virtualAirline } = profile.profile;
  return {
    profile: { title, description, userRegistration, virtualAirline, file, isBeta },
    model: profile.model,
  };
};

/** The sections of the `aircraft` answer: profile, model, weight, calculationLimit, takeoff, landing, formData. */
export const aircraftSections = (profile: AircraftProfile, file = profile.id): Record<string, unknown> => {
  const { improved: _improved, ratings: _ratings, flaps: _flaps, ...takeoff } = profile.takeoff;
  return {
    ...catalogueEntry(profile, file),
    weight: profile.weight,
    calculationLimit: profile.calculationLimit,
    takeoff: { ...takeoff, windLimit: windLimit(takeoff.windLimit) },
    landing: { ...profile.landing, windLimit: windLimit(profile.landing.windLimit) },
    formData: formData(profile),
  };
};
