/** What `npm run bench -- scale` measured last, for the tables of docs/scaling.md. */
import type { Figures } from './model.ts';

export const recorded: Figures = {
  measuredOn: '2026-11-24',
  calls: {
    weather: { apiMs: 2.824, databaseMs: 0.333, bytes: 2024 },
    airport: { apiMs: 0.413, databaseMs: 0.02, bytes: 1618 },
    airportStatus: { apiMs: 0.429, databaseMs: 0.047, bytes: 1235 },
    performance: { apiMs: 2.652, databaseMs: 1.169, bytes: 2811 },
    ofpGet: { apiMs: 3.428, databaseMs: 0.53, bytes: 6983 },
    flightDataGet: { apiMs: 0.772, databaseMs: 0.379, bytes: 1069 },
    flightDataSave: { apiMs: 1.451, databaseMs: 1.372, bytes: 1068 },
    checklistList: { apiMs: 0.873, databaseMs: 0.723, bytes: 1460 },
    refreshUserData: { apiMs: 0.321, databaseMs: 0.111, bytes: 2198 },
    changes: { apiMs: 0.598, databaseMs: 0.885, bytes: 845 },
  },
  userKb: 88,
  rowsPerUser: 188,
  apiMb: 553,
  streamKb: 13,
};
