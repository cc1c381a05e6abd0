/** The description of the service, the same in every document. */
export const infoOf = (baseUrl: string) => ({
  contact: { name: 'Operator of the service', url: baseUrl },
  license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
});

/** Resources by query folder. */
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
  subscriptions: 'Subscriptions, payments, and the signed endpoint.',
  sync: 'What has changed since an earlier call.',
  users: 'Accounts, sign-in, preferences and statistics.',
  weather: 'METAR, TAF and D-ATIS.',
  webhooks: 'Messages of payment gateways.',
  winds: 'Winds and temperatures aloft.',
};

/** The document's tags in alphabetical order. */
export const tagsOf = (names: readonly string[]) =>
  [...new Set(names)].sort().map((name) => ({ name, description: tags[name] }));

export const strictHeader = {
  name: 'X-Strict',
  in: 'header',
  description:
    '1: unknown keys of the input are refused with INVALID_INPUT. 0: a calculation takes a mistyped key for a caution.',
  schema: { type: 'string', enum: ['0', '1'] },
};

export const idempotencyHeader = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'On queries that write, with a token of an account: a repetition with the same key and body within 24 hours changes nothing and gets the answer of the first call, with the header `Idempotent-Replayed: true`. A key of 1 to 255 visible ASCII characters, for example a UUID.',
  schema: { type: 'string', maxLength: 257 },
};

const header = (type: string, description: string) => ({ description, schema: { type } });

/** Headers of every response. */
export const answerHeaders = {
  'X-SVC-Log-Id': header('integer', 'Id of the call in the request log, for questions to the operator.'),
  'X-Request-Id': header('string', 'The id that the client sent, else a new UUID.'),
};

export const securitySchemes = {
  userToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'Token of a user, from `login` or `register`; it also carries the developer key of that call.',
  },
  developerKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Dev-Key',
    description:
      'Key of an app, from the operator. The same key is accepted in the body, as `dev_key` or `devKey`; the header comes first.',
  },
};
