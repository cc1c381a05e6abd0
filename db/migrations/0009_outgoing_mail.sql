-- Mails on their way: written in the transaction of what they tell about, sent by mail.send.
CREATE TABLE outgoing_mail (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Names the mail: the same key is one mail.
  key text NOT NULL UNIQUE,
  recipient text NOT NULL,
  subject text NOT NULL,
  -- NULL once a secret mail (one with a token in it) was sent.
  body_text text,
  body_html text,
  attachments jsonb NOT NULL DEFAULT '[]',
  is_secret boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  sent_at timestamptz
);
CREATE INDEX outgoing_mail_sent ON outgoing_mail (sent_at);
