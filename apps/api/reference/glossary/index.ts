/**
 * What the fields mean, with units. A key is a name, or some names of the path to it from left to right:
 * `weather.metar.date` is `date` anywhere below `metar` of the operation `weather`. Of several, the key whose
 * names are nearest to the field applies.
 */
import { aircraft } from './aircraft.ts';
import { airports } from './airports.ts';
import { checklists } from './checklists.ts';
import { common } from './common.ts';
import { fleet } from './fleet.ts';
import { flightData } from './flight-data.ts';
import { library } from './library.ts';
import { messages } from './messages.ts';
import { migration } from './migration.ts';
import { normalizedOfp } from './ofp-normalized.ts';
import { ofp } from './ofp.ts';
import { performance } from './performance.ts';
import { preferences } from './preferences.ts';
import { subscriptions } from './subscriptions.ts';
import { users } from './users.ts';
import { weather } from './weather.ts';

/** By subject; a key occurs in one of them only. */
export const subjects: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  aircraft,
  airports,
  checklists,
  common,
  fleet,
  flightData,
  library,
  messages,
  migration,
  normalizedOfp,
  ofp,
  performance,
  preferences,
  subscriptions,
  users,
  weather,
};

export const glossary: Readonly<Record<string, string>> = Object.assign({}, ...Object.values(subjects));
