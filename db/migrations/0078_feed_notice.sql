-- What the operator should know of a feed that is up: the last stored run said it.
ALTER TABLE feed_state ADD COLUMN notice text;
