/** User preferences: schema, defaults, and completion of stored ones (M-2.7.p*). */
import { z } from 'zod';
import { atMostCharacters } from '../fields/index.ts';
import { parseKnown } from '../fields/parse.ts';
import { isRecord } from '../record.ts';

export const defaultUnits = ['METRIC', 'METRIC_M', 'IMPERIAL', 'HYBRID1', 'HYBRID2', 'HYBRID3'] as const;

/** `None` and the supported online networks. */
export const onlineServers = ['None', 'IVAO', 'VATSIM'] as const;
const noNetwork = 'None';

const text = (max: number) => atMostCharacters(z.string(), max, `must be at most ${max} characters`);

export const userPreferencesSchema = z.strictObject({
  settingsLocked: z.boolean(),
  displayIntegratedTutorial: z.boolean(),
  defaultUnit: z.enum(defaultUnits),
  onlineServer: z.enum(onlineServers),
  defaultAircraftOnStartup: z.strictObject({
    file: text(255).nullable(),
    userRegistration: text(30).nullable(),
    vaFleet: z.boolean(),
  }),
  performance: z.strictObject({
    takeoff: z.strictObject({
      customizeStandardEngineFailureProcedure: z.boolean(),
      customizedText: text(4_000),
      displayEngineFailureInFull: z.boolean(),
    }),
    wb: z.strictObject({ displayGraphicalError: z.boolean() }),
  }),
  export: z.strictObject({
    signBeforeExport: z.boolean(),
    printerPaperWidth_mm: z.number().positive().max(1_000),
    datalinkAutomaticExport: z.boolean(),
    datalinkCallsign: text(20).nullable(),
    datalinkServer: z.enum(onlineServers),
    datalinkFormat: z.enum(['Raw', 'MCDU']),
  }),
  planner: z.strictObject({
    plannerUserId: z.int().nonnegative(),
    plannerLoadDeviation: z.number(),
    plannerImportOption: text(50),
  }),
  efb: z.strictObject({
    enableEFB: z.boolean(),
    modules: z.strictObject({
      briefingNavlog: z.boolean(),
      checklist: z.boolean(),
      library: z.boolean(),
      tools: z.boolean(),
    }),
    toolsOptions: z
      .array(z.strictObject({ id: text(100), visible: z.boolean(), order: z.int() }))
      .max(200)
      .nullable(),
  }),
  weather: z.strictObject({ display: z.boolean(), notification: z.boolean() }),
});

export type UserPreferences = z.output<typeof userPreferencesSchema>;

/** `plannerUserId` 0: none set. `plannerImportOption`: `latest`, `static` or `manual`. */
export const defaultPreferences: UserPreferences = {
  settingsLocked: false,
  displayIntegratedTutorial: true,
  defaultUnit: 'METRIC',
  onlineServer: noNetwork,
  defaultAircraftOnStartup: { file: null, userRegistration: null, vaFleet: false },
  performance: {
    takeoff: {
      customizeStandardEngineFailureProcedure: false,
      customizedText: '',
      displayEngineFailureInFull: false,
    },
    wb: { displayGraphicalError: true },
  },
  export: {
    signBeforeExport: false,
    printerPaperWidth_mm: 80,
    datalinkAutomaticExport: false,
    datalinkCallsign: null,
    datalinkServer: noNetwork,
    datalinkFormat: 'Raw',
  },
  planner: { plannerUserId: 0, plannerLoadDeviation: 5, plannerImportOption: 'latest' },
  efb: {
    enableEFB: true,
    modules: { briefingNavlog: true, checklist: true, library: true, tools: true },
    toolsOptions: null,
  },
  weather: { display: true, notification: true },
};

type Tree = Readonly<Record<string, unknown>>;
const completed = (schema: z.ZodObject, defaults: Tree, stored: Tree): Tree =>
  Object.fromEntries(
    Object.entries(schema.shape).map(([name, field]) => {
      const value = Object.hasOwn(stored, name) ? stored[name] : undefined;
      const preset = defaults[name];
      if (field instanceof z.ZodObject && isRecord(preset)) {
        return [name, completed(field, preset, isRecord(value) ? value : {})];
      }
      // Skips the schema for absent fields, which it would refuse only slowly.
      const parsed = value === undefined ? null : parseKnown(field as z.ZodType, value).parsed;
      return [name, parsed?.success ? parsed.data : preset];
    }),
  );

/**
 * Stored preferences as specified: missing values get defaults, and fields removed since 1.3.0 (M-2.7.x*) stay stored
 * but hidden. The lock belongs to the operator, so it is not taken from the preferences.
 */
export const completePreferences = (stored: unknown, settingsLocked: boolean): UserPreferences => ({
  ...(completed(
    userPreferencesSchema,
    defaultPreferences,
    isRecord(stored) ? stored : {},
  ) as UserPreferences),
  settingsLocked,
});
