import {
  maxWaypoints,
  windAloft,
  windAloftInputSchema,
  windAloftOutputSchema,
} from '#domain/winds/wind-aloft.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'windAloft',
  spec: ['2.12', '4.7', '8'],
  summary:
    'Wind and temperature at each waypoint, at cruise level and 2,000 and 4,000 ft above and below, at its ETO.',
  dialect: 'bare',
  errors: {
    MISSING_FIELD: 400,
    INVALID_WAYPOINTS: { status: 400, message: 'Invalid waypoint: {field}.' },
    TOO_MANY_WAYPOINTS: { status: 400, message: `At most ${maxWaypoints} waypoints are allowed.` },
  },
  input: windAloftInputSchema,
  output: windAloftOutputSchema,
  example: {
    waypoints: [
      { name: 'MERIT', latitude: 41.38, longitude: -73.14, cruiseLevel: 350, eto: '2026-09-16T12:30:00Z' },
    ],
  },
  // Reads one snapshot, so that an answer never mixes two forecast cycles.
  handler: ({ input, winds, now }) => {
    const snapshot = winds.current();
    return Promise.resolve({
      windAloft: windAloft(snapshot, input.waypoints, now.getTime()),
      source: snapshot?.header.source ?? null,
    });
  },
});
