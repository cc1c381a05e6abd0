import type { Mail } from '#domain/ports.ts';
import { sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

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
}

const toMail = ({ text, html, attachments, ...row }: MailRow): Mail => ({
  ...row,
  text: text ?? '',
  ...(html === null ? {} : { html }),
  attachments: attachments.map(({ base64, ...attachment }) => ({
    ...attachment,
    content: Buffer.from(base64, 'base64'),
  })),
});

/** Outgoing mails. The key of a mail is permanent: no two rows have the same key. */
export const outgoingMailRepo = (db: ReadDb) => ({
  /** The mail if it has yet to be sent; null when it has been sent or does not exist. */
  unsent: async (id: number): Promise<Mail | null> => {
    const row = await db.maybe<MailRow>(sql`
      SELECT key, recipient AS "to", subject, body_text AS text, body_html AS html, attachments
      FROM outgoing_mail WHERE id = ${id} AND sent_at IS NULL`);
    return row && toMail(row);
  },
});

export const outgoingMailWrites = (tx: Tx) => ({
  /** The row's id, or null when the key is taken. */
  insert: async (mail: Mail & { createdAt: Date; secret?: boolean }): Promise<number | null> => {
    const attachments: StoredAttachment[] = (mail.attachments ?? []).map((attachment) => ({
      filename: attachment.filename,
      contentType: attachment.contentType,
      base64: Buffer.from(attachment.content).toString('base64'),
    }));
    const row = await tx.maybe<{ id: number }>(sql`
      INSERT INTO outgoing_mail (key, recipient, subject, body_text, body_html, attachments, is_secret, created_at)
      VALUES (${mail.key}, ${mail.to}, ${mail.subject}, ${mail.text}, ${mail.html ?? null},
        ${JSON.stringify(attachments)}, ${mail.secret ?? false}, ${mail.createdAt})
      ON CONFLICT (key) DO NOTHING
      RETURNING id`);
    return row?.id ?? null;
  },

  /** Marks it as sent and erases the text of a secret mail. */
  markSent: (id: number, at: Date): Promise<number> =>
    tx.run(sql`
      UPDATE outgoing_mail SET
        sent_at = ${at},
        body_text = CASE WHEN is_secret THEN NULL ELSE body_text END,
        body_html = CASE WHEN is_secret THEN NULL ELSE body_html END
      WHERE id = ${id}`),

  /**
   * The transaction waits for the mail server: the default limit of an idle transaction is shorter than that of
   * the job.
   */
  allowIdleSeconds: (seconds: number): Promise<number> =>
    tx.run(sql`SELECT set_config('idle_in_transaction_session_timeout', ${String(seconds * 1_000)}, true)`),
});
