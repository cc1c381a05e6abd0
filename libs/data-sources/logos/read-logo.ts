import { readFile, stat } from 'node:fs/promises';
import { logoTypes, maxLogoBytes } from '#domain/virtual-airlines/virtual-airline.ts';
import type { LogoType } from '#domain/virtual-airlines/virtual-airline.ts';

interface LogoFile {
  mediaType: LogoType;
  content: Buffer;
}

export class LogoError extends Error {
  override name = 'LogoError';
}

/** Reads a logo; throws `LogoError` for a missing, too large or wrong type of file. */
export const readLogo = async (path: string): Promise<LogoFile> => {
  const found = await stat(path).catch(() => null);
  if (!found?.isFile()) throw new LogoError(`${path} is neither a URL nor a file`);
  if (found.size > maxLogoBytes) throw new LogoError(`${path} has more than ${maxLogoBytes} bytes`);
  const content = await readFile(path);
  const { fileTypeFromBuffer } = await import('file-type');
  const detected = await fileTypeFromBuffer(content);
  const mediaType = logoTypes.find((type) => type === detected?.mime);
  if (!mediaType) throw new LogoError(`${path} is not a PNG, JPEG or WebP picture`);
  return { mediaType, content };
};
