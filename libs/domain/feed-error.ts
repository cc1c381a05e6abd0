type FeedFormatCode =
  | 'HTML'
  | 'NOT_XML'
  | 'NOT_JSON'
  | 'SCHEMA_VERSION'
  | 'WRONG_CONTENT'
  | 'TRUNCATED'
  | 'EMPTY';

/** A whole file that must not be stored: not the format, not the version or without records. */
export class FeedFormatError extends Error {
  readonly code: FeedFormatCode;

  constructor(code: FeedFormatCode, message: string) {
    super(message);
    this.name = 'FeedFormatError';
    this.code = code;
  }
}

/** Throws HTML when a text is a web page: login and error pages often come with status 200. */
export const refuseHtml = (text: string): void => {
  if (/^\s*(?:<!doctype html|<html|<head|<body)/i.test(text.slice(0, 500))) {
    throw new FeedFormatError('HTML', 'The source answered with a web page instead of data.');
  }
};
