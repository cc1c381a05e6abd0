-- Stamps of the library are whole seconds from here on, after all that there are.
UPDATE library_clock SET changed_at = date_trunc('second', changed_at) + interval '1 second';
