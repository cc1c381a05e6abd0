import { hostname } from 'node:os';

/** Names this process in rows that others read, for example `process 4242 on efb-1`. */
export const processName = (): string => `process ${process.pid} on ${hostname()}`;
