import type { Mail } from '#domain/ports.ts';
import { sql } from '../sql.ts';
import type { Db, Tx } from '../sql.ts';

interface StoredAttachment {
  filename: string;
  contentType: string;
  base64: string;
}

interface MailRow {
  key: string;
  to: string;
  subject: string;
  text: string | null;
  html: string | null;
  attachments: StoredAttachment[];
  sentAt: Date | null;
}

/** Mails on their way. A mail's key names it for ever: two rows with one key cannot be. */
export const outgoingMailRepo = (db: Db) => ({
  /** The row's id, or null when the key is taken. */
  insert: async (mail: Mail & { createdAt: Date; secret?: boolean }): Promise<number | null> => {
    const attachments: StoredAttachment[] = (mail.attachments ?? []).map((attachment) => ({
      filename: attachment.filename,
      contentType: attachment.contentType,
      base64: Buffer.from(attachment.content).toString('base64'),
    }));
    const row = await db.maybe<{ id: number }>(sql`
      INSERT INTO outgoing_mail (key, recipient, subject, body_text, body_html, attachments, is_secret, created_at)
      VALUES (${mail.key}, ${mail.to}, ${mail.subject}, ${mail.text}, ${mail.html ?? null},
        ${JSON.stringify(attachments)}, ${mail.secret ?? false}, ${mail.createdAt})
      ON CONFLICT (key) DO NOTHING
      RETURNING id`);
    return row?.id ?? null;
  },

  /** The mail while it has to be sent; null when it was sent before or is not there. */
  unsent: async (id: number): Promise<Mail | null> => {
    const row = await db.maybe<MailRow>(sql`
      SELECT key, recipient AS "to", subject, body_text AS text, body_html AS html, attachments, sent_at AS "sentAt"
      FROM outgoing_mail WHERE id = ${id}`);
    if (!row || row.sentAt !== null) return null;
    return {
      key: row.key,
      to: row.to,
      subject: row.subject,
      text: row.text ?? '',
      ...(row.html === null ? {} : { html: row.html }),
      attachments: row.attachments.map(({ filename, contentType, base64 }) => ({
        filename,
        contentType,
        content: Buffer.from(base64, 'base64'),
      })),
    };
  },

  /** Marks it as sent and erases the text of a secret mail. */
  markSent: (id: number, at: Date): Promise<number> =>
    db.run(sql`
      UPDATE outgoing_mail SET
        sent_at = ${at},
        body_text = CASE WHEN is_secret THEN NULL ELSE body_text END,
        body_html = CASE WHEN is_secret THEN NULL ELSE body_html END
      WHERE id = ${id}`),

  deleteSentBefore: (time: Date): Promise<number> =>
    db.run(sql`DELETE FROM outgoing_mail WHERE sent_at < ${time}`),
});

/**
 * Claims an effect that must happen once: true for the first transaction that commits, false for every later
 * one. A second one that runs at the same time waits for the first.
 */
export const claimEffect = async (tx: Tx, kind: string, key: string, at: Date): Promise<boolean> =>
  (await tx.run(sql`
    INSERT INTO effect (key, kind, done_at) VALUES (${`${kind}:${key}`}, ${kind}, ${at})
    ON CONFLICT (key) DO NOTHING`)) === 1;
