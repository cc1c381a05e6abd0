-- Manual runs are kept apart from those of the schedule; the time of the stored data refuses older ones; the
-- scheduler declares whether its sources are simulated.
ALTER TABLE feed_run ADD COLUMN is_manual boolean NOT NULL DEFAULT false;
ALTER TABLE feed_state ADD COLUMN last_data_at timestamptz;
ALTER TABLE feed ADD COLUMN is_simulated boolean NOT NULL DEFAULT false;
