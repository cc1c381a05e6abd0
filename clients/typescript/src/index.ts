export { createClient } from './client.ts';
export type { Client } from './client.ts';
export type { DownloadOptions, DownloadPart } from './download.ts';
export { EfbError, isErrorOf } from './errors.ts';
export type { ClientCode, EfbErrorOf } from './errors.ts';
export type { FlightDataKey, FlightDataPayload, FlightDataRow, Merge, UpdateOptions } from './flight-data.ts';
export { contractVersion } from './generated/contract.ts';
export type * from './generated/queries.ts';
export type { Paged } from './paging.ts';
export type {
  CallOptions,
  ClientOptions,
  Credentials,
  ErrorCode,
  Input,
  Output,
  QueryName,
  Token,
  UploadName,
} from './types.ts';
