-- What is stored with a patch merged into it, by the function of RFC 7396, section 2.
CREATE FUNCTION merge_patch(stored jsonb, patch jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  result jsonb := CASE WHEN jsonb_typeof(stored) = 'object' THEN stored ELSE '{}' END;
  name text;
  member jsonb;
BEGIN
  IF jsonb_typeof(patch) <> 'object' THEN RETURN patch; END IF;
  FOR name, member IN SELECT * FROM jsonb_each(patch) LOOP
    IF jsonb_typeof(member) = 'null' THEN
      result := result - name;
    ELSE
      result := result || jsonb_build_object(name, merge_patch(result -> name, member));
    END IF;
  END LOOP;
  RETURN result;
END $$;
