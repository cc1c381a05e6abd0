/** Fleet profiles. */
export const fleet = {
  registration: 'Registration: letters, digits and hyphens, at most 30.',
  basedOnProfile: 'Profile it inherits from: a registration or the id of a variant.',
  'fleetList.userFleet': 'Own profiles of the caller.',
  'fleetList.id': 'Id of the fleet profile.',
  'fleetGet.id': 'Id of the fleet profile.',
  'fleetList.user_id': 'Id of the owner; null for profiles of a virtual airline.',
  'fleetGet.user_id': 'Id of the owner; null for profiles of a virtual airline.',
  'fleetList.file':
    'File of the profile: `User_{userId}_{registration}.json`, or `{registration}.json` of an airline.',
  'fleetGet.file':
    'File of the profile: `User_{userId}_{registration}.json`, or `{registration}.json` of an airline.',
  'fleetSave.file':
    'File of the profile: `User_{userId}_{registration}.json`, or `{registration}.json` of an airline.',
  'fleetList.virtual_airline': 'Virtual airline that owns it; null for others.',
  flight_sim: 'Flight simulator, at most 15 characters; null: not given.',
  addon: 'Aircraft product, at most 15 characters; null: not given.',
  variant: 'Variant; null when it cannot be resolved from the parent.',
  engines: 'Designation of the engines; null when unknown.',
  engineTimeLimit: 'Time limit of takeoff thrust, in seconds; null when unknown.',
  engine_time_limit: 'Time limit of takeoff thrust, in seconds; null when unknown.',
  'fleetList.share_community': 'true when it is listed in the community fleet.',
  recommended: 'true when the operator recommends it.',
  isBasedOnUserProfile: 'true when the parent is another fleet profile.',
  fleetRow: 'The stored row of the profile.',
  dependents: 'Registrations of the profiles that inherit from it.',
} as const;
