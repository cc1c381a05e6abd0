import type { Mail } from '#domain/ports.ts';
import { insertOf, sql } from '../sql.ts';
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

/**
 * `sending`: data left, no answer has been read. `answered`: accepted, not yet marked as sent. `refused`: for good.
 */
const unsentStates = ['waiting', 'sending', 'answered', 'refused'] as const;
type MailState = (typeof unsentStates)[number] | 'sent';

export interface UnsentMail {
  mail: Mail;
  state: MailState;
  /** Attempts whose data were sent without an answer, including this state. */
  unanswered: number;
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
  /** The mail if it has yet to be marked as sent; null when it has been or does not exist. */
  unsent: async (id: number): Promise<UnsentMail | null> => {
    const row = await db.maybe<MailRow & Omit<UnsentMail, 'mail'>>(sql`
      SELECT key, recipient AS "to", subject, body_text AS text, body_html AS html, attachments, state,
        unanswered + (state = 'sending')::int AS unanswered
      FROM outgoing_mail WHERE id = ${id} AND sent_at IS NULL`);
    if (!row) return null;
    const { state, unanswered, ...mail } = row;
    return { mail: toMail(mail), state, unanswered };
  },

  /** Number of mails that have not been sent, by state. */
  unsentCounts: async (): Promise<Record<string, number>> => {
    const rows = await db.any<{ state: MailState; count: number }>(sql`
      SELECT state, count(*)::int AS count FROM outgoing_mail WHERE state <> 'sent' GROUP BY state`);
    const counted = new Map(rows.map(({ state, count }) => [state, count]));
    return Object.fromEntries(unsentStates.map((state) => [state, counted.get(state) ?? 0]));
  },
});

export const outgoingMailWrites = (tx: Tx) => ({
  /** The row's id, or null when the key is already in use. */
  insert: async (mail: Mail & { createdAt: Date; secret?: boolean }): Promise<number | null> => {
    const attachments = (mail.attachments ?? []).map(({ content, ...attachment }): StoredAttachment => ({
      ...attachment,
      base64: Buffer.from(content).toString('base64'),
    }));
    const { to: recipient, text: bodyText, html: bodyHtml, secret: isSecret = false, ...rest } = mail;
    const row = {
      ...rest,
      recipient,
      bodyText,
      bodyHtml,
      isSecret,
      attachments: JSON.stringify(attachments),
    };
    return tx.valueOrNull<number>(
      sql`${insertOf('outgoing_mail', row)} ON CONFLICT (key) DO NOTHING RETURNING id`,
    );
  },

  /** Call it before the data are sent. An earlier attempt whose answer was not read is counted. */
  markSending: (id: number): Promise<number> =>
    tx.run(sql`
      UPDATE outgoing_mail SET state = 'sending', unanswered = unanswered + (state = 'sending')::int WHERE id = ${id}`),

  /** No answer was read, and none is expected: only the operator can send it again. */
  giveUp: (id: number): Promise<number> =>
    tx.run(sql`UPDATE outgoing_mail SET state = 'waiting', unanswered = unanswered + 1 WHERE id = ${id}`),

  markAnswered: (id: number, answer: string): Promise<number> =>
    tx.run(sql`UPDATE outgoing_mail SET state = 'answered', answer = ${answer} WHERE id = ${id}`),

  /** A refusal after the data is the answer to them; one before the data says nothing about an earlier attempt. */
  markRefused: (id: number, answer: string, isFinal: boolean, hadData: boolean): Promise<number> =>
    tx.run(sql`
      UPDATE outgoing_mail SET answer = ${answer},
        state = CASE WHEN ${isFinal} THEN 'refused' WHEN ${hadData} THEN 'waiting' ELSE state END
      WHERE id = ${id}`),

  /** Marks it as sent and erases text and attachments of a secret mail. */
  markSent: (id: number, at: Date): Promise<number> =>
    tx.run(sql`
      UPDATE outgoing_mail SET
        state = 'sent',
        sent_at = ${at},
        body_text = CASE WHEN is_secret THEN NULL ELSE body_text END,
        body_html = CASE WHEN is_secret THEN NULL ELSE body_html END,
        attachments = CASE WHEN is_secret THEN '[]' ELSE attachments END
      WHERE id = ${id}`),
});

/** Effects that must happen once, even when a queue delivers twice. */
export const effectWrites = (tx: Tx) => ({
  /**
   * True for the first transaction that commits, false for every later one. A concurrent second one waits for
   * the first.
   */
  claim: async (kind: string, key: string, at: Date): Promise<boolean> =>
    (await tx.run(sql`
      INSERT INTO effect (key, kind, done_at) VALUES (${`${kind}:${key}`}, ${kind}, ${at})
      ON CONFLICT (key) DO NOTHING`)) === 1,
});
