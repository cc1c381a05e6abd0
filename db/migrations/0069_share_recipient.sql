-- A share has a recipient once it is accepted: an invitation belongs to whoever has its address verified.
UPDATE ofp_share SET recipient_id = NULL WHERE status = 'pending';
