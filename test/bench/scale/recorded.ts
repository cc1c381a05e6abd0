/** What `npm run bench -- scale` measured last, for the tables of docs/scaling.md. */
import type { Figures } from './model.ts';

export const recorded: Figures = {
  measuredOn: '2026-11-28',
  calls: {
    weather: { apiMs: 1.81, databaseMs: 0.036, bytes: 2028 },
    airport: { apiMs: 0.427, databaseMs: 0.047, bytes: 1618 },
    airportStatus: { apiMs: 0.358, databaseMs: 0.044, bytes: 1235 },
    performance: { apiMs: 2.732, databaseMs: 1.474, bytes: 2811 },
    ofpGet: { apiMs: 2.473, databaseMs: 0.572, bytes: 6983 },
    flightDataGet: { apiMs: 0.857, databaseMs: 0.447, bytes: 1071 },
    flightDataSave: { apiMs: 1.362, databaseMs: 1.436, bytes: 1068 },
    checklistList: { apiMs: 1.094, databaseMs: 0.895, bytes: 1460 },
    refreshUserData: { apiMs: 0.51, databaseMs: 0.19, bytes: 2212 },
    changes: { apiMs: 0.765, databaseMs: 0.897, bytes: 734 },
  },
  userKb: 85,
  rowsPerUser: 188,
  apiMb: 553,
  streamKb: 25,
};
