/** A file that the operation accepts; checked while streaming, after all other stages. */
export interface UploadRule<Code extends string = string> {
  /** Bytes, or the variable of the configuration that states megabytes. */
  maxBytes: number | 'LIBRARY_MAX_UPLOAD_MB';
  /** Media types, detected by content. */
  types: readonly string[];
  /** Error codes for a file over `maxBytes` and for any other type. */
  tooLarge: Code;
  wrongType: Code;
  /** The whole content is checked when it has been received, not only its first bytes; a damaged file is of the wrong type. */
  isInspected?: true;
  /** In place of the file the input may have the `uploadId` of one that has arrived in pieces. */
  isResumable?: true;
}

/** Room for one file, for example what is left of a quota. */
export interface UploadRoom {
  bytes: number;
  /** The failure of a larger file, which is read to its end without being kept, unless the call turns out to be a repeat. */
  tooSmall: (fileBytes: number) => Error;
}

/** A received file in the temporary folder; removed after the call. */
export interface UploadedFile {
  path: string;
  name: string;
  bytes: number;
  /** Media type detected by content; one of the declared types. */
  type: string;
  /** SHA-256 in hex. */
  sha256: string;
}
