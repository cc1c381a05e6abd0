import { describe, expect, test } from 'vitest';
import { profile, profiles } from '../fixtures/aircraft.ts';
import { aircraftSections, catalogueEntry, formData } from './aircraft.ts';
import type { FormOption } from '#domain/aircraft/catalogue.ts';

const ids = [...profiles.keys()];
type Lists = Record<string, FormOption[]>;
const form = (id: string): { takeoff: Lists; landing: Lists; userEditedRawData: unknown } =>
  formData(profile(id)) as { takeoff: Lists; landing: Lists; userEditedRawData: unknown };
const keys = (value: unknown): string[] => Object.keys(value as object);

describe('aircraft catalogue', () => {
  test.each(ids)(
    'The catalogue entry of the %s has every field (M-2.8.6, M-2.8.p1, M-2.8.p6, M-2.8.m1, M-2.8.m10)',
    (id) => {
      const entry = catalogueEntry(profile(id));
      expect(keys(entry.profile).toSorted()).toEqual([
        'description',
        'file',
        'isBeta',
        'title',
        'userRegistration',
        'virtualAirline',
      ]);
      expect(entry.profile['file']).toBe(id);
      expect(keys(entry.model).toSorted()).toEqual([
        'brakes',
        'category',
        'certification',
        'engines',
        'enginesThrustLimitTime',
        'folderGroup',
        'manufacturer',
        'maxCertifiedTakeoffAndLandingAltitude',
        'type',
        'variant',
      ]);
    },
  );

  test.each(ids)(
    'The aircraft answer of the %s has every section (M-2.8.a2, M-2.8.a3, M-2.8.a4, M-2.8.a5, M-2.8.a6, M-2.8.a7, M-2.8.a8)',
    (id) => {
      const sections = aircraftSections(profile(id));
      expect(keys(sections).toSorted()).toEqual([
        'calculationLimit',
        'formData',
        'landing',
        'model',
        'profile',
        'takeoff',
        'weight',
      ]);
      expect(keys(sections['weight'])).toEqual(
        expect.arrayContaining([
          'oew',
          'mstow',
          'mslw',
          'mzfw',
          'msrw',
          'isFlexibleTOW',
          'flexibleTOW',
          'performanceLimitedWeight',
        ]),
      );
      expect(keys(sections['takeoff']).toSorted()).toEqual([
        'isCGAvailable',
        'isN1displayed',
        'n1label',
        'useAlternateCG',
        'useAlternateN1',
        'windLimit',
      ]);
      expect(keys(sections['landing'])).toEqual(
        expect.arrayContaining([
          'vrefFlapRef',
          'vrefAdditiveDefault',
          'vrefAdditiveMax',
          'assumedAirDistanceRef',
          'displayResultUnfactoredLandingDistances',
          'autolandFlapsOption',
          'brakeCooling',
          'windLimit',
          'useAlternateCG',
          'vrefLabel',
        ]),
      );
    },
  );

  test.each(ids)(
    'The crosswind table of the %s has every field (M-2.8.x1, M-2.8.x2, M-2.8.x3, M-2.8.x4, M-2.8.x5, M-2.8.x6, M-2.8.x7, M-2.8.x8, M-2.8.x9)',
    (id) => {
      const { crosswindLimitsPerRunwayConditions: rows } = (
        aircraftSections(profile(id))['landing'] as {
          windLimit: { crosswindLimitsPerRunwayConditions: object[] };
        }
      ).windLimit;
      for (const row of rows) {
        expect(keys(row).toSorted()).toEqual([
          'increaseableWindLimit',
          'increaseableWindLimitAftCG',
          'increaseableWindLimitFwdCG',
          'increaseableWindLimitRunwayMinimumFlaps',
          'increaseableWindLimitRunwayWidth',
          'increaseableWindLimitText',
          'increaseableWindLimitValue',
          'runwayCondition',
          'windLimit',
        ]);
      }
    },
  );
});

describe('formData', () => {
  test.each(ids)(
    'The form data of the %s have every list (M-2.8.ft1, M-2.8.ft8, M-2.8.fl1, M-2.8.fl11, M-2.8.fo1, M-2.8.fo2)',
    (id) => {
      const { takeoff, landing } = form(id);
      expect(keys(takeoff).toSorted()).toEqual([
        'acBleed',
        'ai',
        'cgPosition',
        'condition',
        'flap',
        'improved',
        'inopitem',
        'rating',
      ]);
      expect(keys(landing)).toEqual(
        expect.arrayContaining([
          'acBleed',
          'ai',
          'autobrake',
          'catiiIii',
          'flap',
          'groundSpoilers',
          'reversers',
          'nonNormalConf',
          'conditionDispatch',
          'conditionEnroute',
          'inopitem',
        ]),
      );
      expect(keys(landing['inopitem'])).toEqual(['mel', 'cdl']);
      expect(form(id)).toHaveProperty('userEditedRawData');
    },
  );

  test.each(ids)(
    'Every option of %s is complete, with one default per list (M-2.8.oe1, M-2.8.oe2, M-2.8.oe3, M-2.8.oe4, M-2.8.oe5)',
    (id) => {
      for (const lists of [form(id).takeoff, form(id).landing]) {
        for (const [name, list] of Object.entries(lists)) {
          if (!Array.isArray(list) || list.length === 0) continue;
          for (const entry of list) {
            expect(entry.description.length).toBeGreaterThan(0);
            expect(entry.paramName).toMatch(/^(configuration|runwayCondition|weight)\./);
          }
          expect(list.filter((entry) => entry.isDefault).length, name).toBe(1);
          expect(new Set(list.map((entry) => entry.value)).size).toBe(list.length);
          expect(new Set(list.map((entry) => entry.order)).size).toBe(list.length);
        }
      }
    },
  );

  test.each(ids)(
    'Options of the %s have the fields of their kind (M-2.8.oe6, M-2.8.oe9, M-2.8.oe10, M-2.8.oe12, M-2.8.oe13, M-2.8.oe14)',
    (id) => {
      const { landing } = form(id);
      const water = landing['conditionDispatch']?.find((entry) => entry.value === 'STANDING_WATER');
      expect(water).toMatchObject({ requiresDepth: true, isSlippery: true });
      expect(water?.maxValue).toBeGreaterThan(water?.minValue ?? 0);
      expect(landing['flap']?.some((entry) => entry.autolandAvailable)).toBe(true);
      const nonNormal = landing['nonNormalConf'] ?? [];
      expect(nonNormal[0]).toMatchObject({ value: 'NONE', isDefault: true });
      expect(nonNormal.length).toBeGreaterThanOrEqual(13);
      expect(nonNormal.some((entry) => (entry.vrefAdd ?? 0) > 0)).toBe(true);
      expect(nonNormal.some((entry) => entry.autobrakeInop)).toBe(true);
    },
  );

  test('Family A starts with OPTIMUM, family B offers ALL brake modes, and autoland flaps carry the suffix', () => {
    expect(form('A320-251N').landing['flap']?.map((entry) => entry.value)).toEqual([
      'OPTIMUM',
      'FULL',
      '3',
      'FULL_AUTOLAND',
      '3_AUTOLAND',
    ]);
    expect(form('737-800-7B26').landing['autobrake']?.[0]).toMatchObject({ value: 'ALL', isDefault: true });
    expect(form('A320-251N').landing['autobrake']?.some((entry) => entry.value === 'ALL')).toBe(false);
  });

  test.each(ids)('Weights, temperatures and QNH of %s are plausible (M-2.8.r1)', (id) => {
    const { weight, calculationLimit: limit } = profile(id);
    expect(weight.oew).toBeGreaterThan(30_000);
    expect(weight.msrw).toBeLessThan(700_000);
    expect(limit.maxTemperatureC).toBeGreaterThan(35);
    expect(limit.minTemperatureC).toBeLessThan(-30);
    expect(limit.minQNHhPa).toBeGreaterThan(800);
    expect(limit.maxQNHhPa).toBeLessThan(1100);
  });

  test.each(ids)(
    '%s has at least 12 non-normal conditions and 10 items in each list, all with a source',
    (id) => {
      const aircraft = profile(id);
      expect(aircraft.nonNormal.length).toBeGreaterThanOrEqual(12);
      for (const list of [aircraft.mel, aircraft.cdl]) {
        expect(list.length).toBeGreaterThanOrEqual(10);
        expect(list.every((item) => item.source.length > 0)).toBe(true);
      }
      expect(aircraft.provenance.length).toBeGreaterThanOrEqual(8);
    },
  );
});
