/** What every OpenAPI document says of the service. */
export const infoOf = (baseUrl: string) => ({
  contact: { name: 'Operator of the service', url: baseUrl },
  license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
});

/** Resources, by the folder of their queries. */
const tags: Readonly<Record<string, string>> = {
  aircraft: 'Catalogue of aircraft profiles with limits and options.',
  airports: 'Airports, runways with declared distances, and the state of their database.',
  announcements: 'Announcements of the operator.',
  checklists: 'Checklists of pilots, airlines and the community, and built-in ones.',
  feedback: 'Feedback to the operator and reports on calls.',
  fleet: 'Aircraft profiles of users and virtual airlines, inherited from others.',
  'flight-data': 'Data of clients for a flight plan, with an optimistic lock.',
  library: 'Documents, images and links in folders.',
  navdata: 'Search of navaids and waypoints.',
  ofp: 'Flight plans and their shares.',
  performance: 'Landing performance.',
  queries: 'Every query, at one path.',
  subscriptions: 'Subscriptions, payments, and the signed endpoint.',
  sync: 'What has changed since an earlier call.',
  users: 'Accounts, sign-in, preferences and statistics.',
  weather: 'METAR, TAF and D-ATIS.',
  webhooks: 'Messages of payment gateways.',
  winds: 'Winds and temperatures aloft.',
};

/** Tags that the document uses, in alphabetical order. */
export const tagsOf = (names: readonly string[]) =>
  [...new Set(names)].sort().map((name) => ({ name, description: tags[name] }));
