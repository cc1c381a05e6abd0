-- A drawing is made from the request, the answer and a few facts when it is asked for, no longer from a stored scene.
ALTER TABLE calculation ADD COLUMN drawing jsonb;
COMMENT ON COLUMN calculation.drawing IS 'what a drawing shows beyond request and result; null: there is none';

-- The facts of older calculations are in their scenes.
UPDATE calculation SET drawing = jsonb_build_object(
    'variant', split_part(scene ->> 'title', ' · ', 2),
    'displacedM', runway -> 'displacedM',
    'lengthM', (SELECT sum(value::numeric) FROM jsonb_each_text(runway) WHERE key <> 'ident')
  ) || CASE WHEN scenes ? 'dispatch' THEN
    jsonb_build_object('dispatch', jsonb_build_object('touchdownM', scene -> 'touchdownM', 'exits', scene -> 'exits'))
    ELSE '{}' END
  FROM (SELECT id AS scene_id, scenes -> 'factored' AS scene, scenes -> 'factored' -> 'runway' AS runway
    FROM calculation WHERE scenes ? 'factored') s
  WHERE id = scene_id;
ALTER TABLE calculation DROP COLUMN scenes;

-- A PNG or JPG has its row from the moment it is asked for. Rows of format svg are older; they lead the sweep to files.
ALTER TABLE graphic
  ALTER COLUMN path DROP NOT NULL,
  ALTER COLUMN etag DROP NOT NULL,
  ALTER COLUMN bytes DROP NOT NULL,
  ALTER COLUMN drawn_at DROP NOT NULL,
  -- How often it was asked for; one job for each time.
  ADD COLUMN asks integer NOT NULL DEFAULT 1,
  ADD COLUMN asked_at timestamptz NOT NULL DEFAULT now(),
  ADD CONSTRAINT graphic_drawn_whole CHECK (num_nulls(path, etag, bytes, drawn_at) IN (0, 4));
CREATE INDEX graphic_waiting ON graphic (asked_at) WHERE drawn_at IS NULL;
