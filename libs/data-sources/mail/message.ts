import { createHash } from 'node:crypto';
import type { SendMailOptions } from 'nodemailer';
import type { Mail } from '#domain/ports.ts';

/** The Message-ID depends on the key alone, so that a receiver can discard a duplicate. */
export const messageOf = (mail: Mail, from: string): SendMailOptions & { messageId: string } => ({
  from,
  to: mail.to,
  subject: mail.subject,
  text: mail.text,
  ...(mail.html === undefined ? {} : { html: mail.html }),
  messageId: `<${createHash('sha256').update(mail.key).digest('hex')}@${from.split('@')[1] ?? 'localhost'}>`,
  attachments: (mail.attachments ?? []).map((attachment) => ({
    filename: attachment.filename,
    content: Buffer.from(attachment.content),
    contentType: attachment.contentType,
  })),
  // All message parts are in memory; a path or URL in them must never be opened.
  disableFileAccess: true,
  disableUrlAccess: true,
});
