-- What is stored with a patch merged into it (RFC 7396), as one writes it who merges in the database:
-- all members at once, and one by one only where some are removed or are objects themselves.
CREATE FUNCTION merge_patch(stored jsonb, patch jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  target jsonb := CASE WHEN jsonb_typeof(stored) = 'object' THEN stored ELSE '{}' END;
  result jsonb := target || patch;
  name text;
  member jsonb;
BEGIN
  IF jsonb_typeof(patch) <> 'object' THEN RETURN patch; END IF;
  IF NOT jsonb_path_exists(patch, '$.* ? (@ == null || @.type() == "object")') THEN RETURN result; END IF;
  FOR name, member IN SELECT * FROM jsonb_each(patch) LOOP
    IF jsonb_typeof(member) = 'null' THEN
      result := result - name;
    ELSIF jsonb_typeof(member) = 'object' THEN
      result := jsonb_set(result, ARRAY[name], merge_patch(target -> name, member));
    END IF;
  END LOOP;
  RETURN result;
END $$;
