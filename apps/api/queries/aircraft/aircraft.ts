import { z } from 'zod';
import {
  aircraftSchema,
  aircraftSubscriptionSchema,
  availableAirportSchema,
} from '#domain/aircraft/catalogue.ts';
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { mayRead } from '#domain/checklists/rules.ts';
import { aircraftKeyFields } from '#domain/fields/index.ts';
import { ignoredField } from '#domain/fields/unknown-keys.ts';
import { aircraftSections } from '#perf/wire/aircraft.ts';
import { checklistRepo } from '#store/postgres/checklists/checklists.ts';
import { allowanceRepo } from '#store/postgres/subscriptions/allowances.ts';
import { defineQuery } from '../../define.ts';
import type { Needs } from '../../handler-context.ts';
import { findId } from '#domain/checklists/ids.ts';
import { aircraftErrors, unknownAircraft } from './common/aircraft.ts';

const keys = aircraftKeyFields();

type ProfileReader = Needs<'db' | 'caller' | 'builtInChecklists'>;

const find = async (
  { db, caller, builtInChecklists }: ProfileReader,
  { checklistId, file }: NonNullable<AircraftProfile['checklists']>,
) => {
  const named = checklistId ?? file?.replace(/\.json$/i, '') ?? null;
  const found = named === null ? null : findId(named, builtInChecklists);
  if (!found) return null;
  if ('builtIn' in found) return { data: found.builtIn.document, version: found.builtIn.file };
  const row = await checklistRepo(db).byId(found.stored);
  if (!row || !mayRead(row, caller)) return null;
  return { data: row.document, version: `${row.id} ${row.revision}` };
};

/**
 * Section `checklists` of the answer (M-2.2.8), by `checklistId`, else by the older `file`, and a version that changes
 * with it. `data` is absent if there is none that the caller may read.
 */
const checklistOfProfile = async (reader: ProfileReader, checklists: AircraftProfile['checklists']) => {
  if (!checklists) return { block: { isChecklistAvailable: false, isChecklistActive: false }, version: '' };
  const found = await find(reader, checklists);
  return found
    ? { block: { ...checklists, data: found.data }, version: found.version }
    : { block: checklists, version: '' };
};

interface LargePart {
  aircraft: z.output<typeof aircraftSchema>;
  availableAirport: z.output<typeof availableAirportSchema>[];
}

/** The last result per profile: some 250 kB that few calls change. */
const largeParts = new WeakMap<object, { about: readonly unknown[]; part: LargePart }>();

const largePartOf = (profile: object, about: readonly unknown[], build: () => LargePart): LargePart => {
  const known = largeParts.get(profile);
  if (known?.about.every((each, i) => each === about[i])) return known.part;
  const part = build();
  largeParts.set(profile, { about, part });
  return part;
};

export default defineQuery({
  name: 'aircraft',
  get: { maxAgeSeconds: 0 },
  spec: ['2.8', '4.7'],
  summary: 'One aircraft profile with its options, limits and the airports included in the subscription.',
  dialect: 'bare',
  errors: { MISSING_FIELD: 400, INVALID_FIELD: 400, ...aircraftErrors },
  // All three keys are required on load; the last two may be null (M-2.8.1).
  input: z.strictObject({
    aircraft: keys.file,
    userRegistration: keys.userRegistration.removeDefault(),
    virtualAirline: keys.virtualAirline.removeDefault(),
  }),
  output: z.strictObject({
    aircraft: aircraftSchema,
    subscription: aircraftSubscriptionSchema,
    remainingCalculations: z.int(),
    extraCalculations: z.int(),
    availableAirport: z.array(availableAirportSchema),
    ...ignoredField,
  }),
  example: { aircraft: '737-800-7B26', userRegistration: null, virtualAirline: null },
  handler: async (ctx) => {
    const { input, caller, db, caches, aircraft: library, now, fail } = ctx;
    const { aircraft: named, userRegistration, virtualAirline } = input;
    const key = { file: named, userRegistration, virtualAirline };
    const found = await library.find(key, caller);
    if (!found) throw fail('AIRCRAFT_NOT_FOUND', await unknownAircraft(ctx, key, caller));
    const { profile, file } = found;
    const { product, subscription, isPreview } = caller.entitlement;
    const { allowedAirports } = product;
    const [allowance, airports, groups, checklist] = await Promise.all([
      allowanceRepo(db).of(caller, now),
      caches.availableAirports.get('all'),
      caches.icaoGroups.get('all'),
      checklistOfProfile(ctx, profile.checklists),
    ]);
    const large = largePartOf(
      profile,
      [airports, groups, file, allowedAirports.join(), checklist.version],
      () => {
        const allowed = new Set(allowedAirports.flatMap((icao) => groups.get(icao) ?? [icao]));
        const open = allowed.size === 0 ? airports : airports.filter(({ icao }) => allowed.has(icao));
        return {
          aircraft: aircraftSchema.parse({ ...aircraftSections(profile, file), checklists: checklist.block }),
          availableAirport: open.map(({ icao, iata, name, longestRunwayM }) => ({
            icao,
            iata,
            name,
            longuestRunwayLength: Math.round(longestRunwayM),
          })),
        };
      },
    );
    const { model } = profile;
    return {
      ...large,
      subscription: {
        id: subscription?.id ?? null,
        manufacturer: model.manufacturer,
        category: model.category,
        modelGroup: model.folderGroup,
        model: model.type,
        variantId: profile.id,
        variant: model.variant,
        level: product.level,
        isAirportNotam: product.isNotam,
        isNotam: product.isNotam,
        isNnc: product.isNnc,
        isMel: product.isMel,
        isCdl: product.isCdl,
        isMostfav: product.isMostFav,
        isFleetDatabase: product.isFleetDatabase,
        isCommercial: product.isCommercial,
        isDemo: isPreview,
      },
      remainingCalculations: allowance.remaining,
      extraCalculations: allowance.extraCalculationGift,
    };
  },
});
