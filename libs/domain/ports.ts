/** What the domain needs from outside, besides the queue (jobs/port.ts). Implemented in data-sources. */

/** Positions from 0, both inclusive. */
export interface ByteRange {
  first: number;
  last: number;
}

/**
 * Files by key (`graphics/ab/…svg`). A put replaces the whole file or fails; a partial file is never visible.
 */
export interface FileStorage {
  put: (key: string, bytes: Uint8Array, contentType: string) => Promise<void>;
  /** Stores a file of the local disk without reading it into memory; it may be moved away from `path`. */
  putFile: (key: string, path: string, contentType: string) => Promise<void>;
  get: (key: string) => Promise<Uint8Array | null>;
  /** The bytes of a file, or those from the first to the last position, as they are read; null for an absent file. */
  open: (key: string, range?: ByteRange) => Promise<AsyncIterable<Uint8Array> | null>;
  delete: (key: string) => Promise<void>;
  /** Keys at the top, without folders. */
  list: () => Promise<string[]>;
  /** Removes what killed processes left behind before that time; a bounded amount of work. Returns the numbers. */
  sweep: (before: Date) => Promise<{ files: number; folders: number }>;
}

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html?: string;
  attachments?: { filename: string; content: Uint8Array; contentType: string }[];
  /** Determines the message id, so that a mail sent twice is one mail for the receiver. */
  key: string;
}

export interface SendOptions {
  /** Called before the first byte of the message leaves; nothing leaves when it rejects. */
  onData?: () => Promise<void>;
  signal?: AbortSignal;
}

export interface MailSender {
  /**
   * Resolves with the words of the server that has accepted the mail. Rejects with `MailRefusedError` when it has
   * refused, with `MailUnansweredError` when it may have accepted; after any other error it has not.
   */
  send: (mail: Mail, options?: SendOptions) => Promise<string>;
  close: () => Promise<void>;
}
