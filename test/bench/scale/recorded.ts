/** Last results of `npm run bench -- scale`, for the tables in docs/scaling.md. */
import type { Figures } from './model.ts';

export const recorded: Figures = {
  measuredOn: '2026-11-28',
  calls: {
    weather: { apiMs: 1.234, databaseMs: 0.058, bytes: 2025 },
    airport: { apiMs: 0.216, databaseMs: 0.034, bytes: 1622 },
    airportStatus: { apiMs: 0.302, databaseMs: 0.035, bytes: 1236 },
    performance: { apiMs: 1.937, databaseMs: 1.247, bytes: 2804 },
    ofpGet: { apiMs: 2.322, databaseMs: 0.384, bytes: 6985 },
    flightDataGet: { apiMs: 0.516, databaseMs: 0.214, bytes: 1071 },
    flightDataSave: { apiMs: 0.921, databaseMs: 0.975, bytes: 1071 },
    checklistList: { apiMs: 0.673, databaseMs: 0.539, bytes: 1461 },
    refreshUserData: { apiMs: 0.265, databaseMs: 0.153, bytes: 2213 },
    changes: { apiMs: 0.446, databaseMs: 0.533, bytes: 735 },
  },
  userKb: 83,
  rowsPerUser: 188,
  apiMb: 553,
  streamKb: 32,
};
