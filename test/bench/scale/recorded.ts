/** What `npm run bench -- scale` measured last, for the tables of docs/scaling.md. */
import type { Figures } from './model.ts';

export const recorded: Figures = {
  measuredOn: '2026-11-24',
  calls: {
    weather: { apiMs: 3.151, databaseMs: 0.822, bytes: 2026 },
    airport: { apiMs: 0.397, databaseMs: 0.033, bytes: 1618 },
    airportStatus: { apiMs: 0.413, databaseMs: 0.027, bytes: 1235 },
    performance: { apiMs: 1.845, databaseMs: 0.971, bytes: 2811 },
    ofpGet: { apiMs: 1.995, databaseMs: 0.385, bytes: 6984 },
    flightDataGet: { apiMs: 0.621, databaseMs: 0.264, bytes: 1070 },
    flightDataSave: { apiMs: 1.02, databaseMs: 0.954, bytes: 1067 },
    checklistList: { apiMs: 0.784, databaseMs: 0.487, bytes: 1459 },
    refreshUserData: { apiMs: 4.735, databaseMs: 0.232, bytes: 2197 },
    changes: { apiMs: 0.756, databaseMs: 1.202, bytes: 846 },
  },
  userKb: 88,
  rowsPerUser: 188,
  apiMb: 553,
  streamKb: 12,
};
