import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

interface ReceivedMail {
  subject: string;
  /** The source with unfolded lines. */
  text: string;
}

/** Mails to this address, oldest first. */
export const mailsTo = async (dataDir: string, email: string): Promise<ReceivedMail[]> => {
  const folder = join(dataDir, 'outbox');
  const files = await readdir(folder).catch((error: unknown) => {
    // Created with the first mail.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  });
  const mails = await Promise.all(
    files
      .filter((name) => name.endsWith('.eml'))
      .map(async (name) => {
        const path = join(folder, name);
        return { at: (await stat(path)).mtimeMs, text: await readFile(path, 'utf8') };
      }),
  );
  return mails
    .filter(({ text }) => /^To: .*$/m.exec(text)?.[0].includes(email))
    .sort((a, b) => a.at - b.at)
    .map(({ text }) => ({
      subject: /^Subject: (.+)$/m.exec(text)?.[1] ?? '',
      // Quoted-printable: soft line breaks and the equals sign itself.
      text: text.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '='),
    }));
};
