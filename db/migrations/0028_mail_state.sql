-- How far a mail has come, written as it happens: a worker that takes over must not send again what a server has accepted.
ALTER TABLE outgoing_mail
  -- sending: its data are on their way, and no answer has been read yet. answered: the server has accepted it.
  ADD COLUMN state text NOT NULL DEFAULT 'waiting'
    CHECK (state IN ('waiting', 'sending', 'answered', 'sent', 'refused')),
  -- Times the data were sent without an answer: the receiver may have that many copies more, all with one Message-ID.
  ADD COLUMN unanswered int NOT NULL DEFAULT 0,
  -- Last words of the server about this mail.
  ADD COLUMN answer text;
UPDATE outgoing_mail SET state = 'sent' WHERE sent_at IS NOT NULL;
