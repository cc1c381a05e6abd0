/** Ports of the domain besides the queue (jobs/port.ts). */

/** Positions from 0, both inclusive. */
export interface ByteRange {
  first: number;
  last: number;
}

/** Files by key (`graphics/ab/…svg`). A put replaces the whole file or fails; partial files are never visible. */
export interface FileStorage {
  put: (key: string, bytes: Uint8Array, contentType: string) => Promise<void>;
  /** Stores a local file without reading it into memory; it may be moved from `path`. */
  putFile: (key: string, path: string, contentType: string) => Promise<void>;
  get: (key: string) => Promise<Uint8Array | null>;
  /** Streams a file, or the bytes from first to last position; null if it does not exist. */
  open: (key: string, range?: ByteRange) => Promise<AsyncIterable<Uint8Array> | null>;
  delete: (key: string) => Promise<void>;
  /** Keys at the top level, without folders. */
  list: () => Promise<string[]>;
  /** Removes leftovers of killed processes older than that, a bounded number per call. Returns the counts. */
  sweep: (before: Date) => Promise<{ files: number; folders: number }>;
}

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html?: string;
  attachments?: { filename: string; content: Uint8Array; contentType: string }[];
  /** Determines the Message-ID, so that receivers recognise a mail sent twice. */
  key: string;
}

export interface SendOptions {
  /** Called before the first byte of the message is sent; a rejection stops it. */
  onData?: () => Promise<void>;
  signal?: AbortSignal;
}

export interface MailSender {
  /**
   * Resolves with the server's reply when it has accepted the mail. Rejects with `MailRefusedError` if it was refused,
   * `MailUnansweredError` if it may have been accepted; after any other error it was not.
   */
  send: (mail: Mail, options?: SendOptions) => Promise<string>;
  close: () => Promise<void>;
}
