const aPath = '^\\[-?[0-9]+,(-?[0-9]+|null)(,-?[0-9]+,(-?[0-9]+|null))*\\]$'

/**
 * Ranges are the first and the last seq of each by turns. `epoch_ranges_2` puts the path of an epoch together, from difference to difference up to a whole
 * path; `p_end` is where its own open range ends. `page_ranges_2` keeps what lies before or after a seq, nothing if it is not there.
 */
export function rangeFunctionsSql(schema: string): string {
  return `
CREATE FUNCTION ${schema}.path_ranges_2(p_path text, p_end bigint) RETURNS bigint[] LANGUAGE plpgsql IMMUTABLE
AS $unforget$
DECLARE
  v_steps bigint[];
  v_ranges bigint[] := '{}';
  v_before bigint := 0;
  v_from bigint;
  v_to bigint;
BEGIN
  IF p_path IS NULL OR p_path !~ '${aPath}' THEN
    RETURN v_ranges;
  END IF;
  v_steps := ('{' || btrim(p_path, '[]') || '}')::bigint[];
  FOR i IN 1 .. cardinality(v_steps) BY 2 LOOP
    v_from := v_before + v_steps[i];
    v_before := v_from + coalesce(v_steps[i + 1], 0);
    v_to := CASE WHEN v_steps[i + 1] IS NULL THEN p_end ELSE v_before END;
    CONTINUE WHEN v_to < v_from;
    v_ranges := v_ranges || v_from || v_to;
  END LOOP;
  RETURN v_ranges;
END
$unforget$;

CREATE FUNCTION ${schema}.last_ranges_2(p_ranges bigint[], p_last bigint) RETURNS bigint[] LANGUAGE plpgsql IMMUTABLE
AS $unforget$
DECLARE
  v_tail bigint[] := '{}';
  v_missing bigint := p_last;
  v_from bigint;
  v_to bigint;
BEGIN
  FOR i IN REVERSE cardinality(p_ranges) .. 2 BY 2 LOOP
    EXIT WHEN v_missing <= 0;
    v_to := p_ranges[i];
    v_from := greatest(p_ranges[i - 1], v_to - v_missing + 1);
    v_tail := ARRAY[v_from, v_to] || v_tail;
    v_missing := v_missing - (v_to - v_from + 1);
  END LOOP;
  RETURN v_tail;
END
$unforget$;

CREATE FUNCTION ${schema}.first_ranges_2(p_ranges bigint[], p_first bigint) RETURNS bigint[] LANGUAGE plpgsql IMMUTABLE
AS $unforget$
DECLARE
  v_head bigint[] := '{}';
  v_missing bigint := p_first;
  v_to bigint;
BEGIN
  FOR i IN 1 .. coalesce(cardinality(p_ranges), 0) BY 2 LOOP
    EXIT WHEN v_missing <= 0;
    v_to := least(p_ranges[i + 1], p_ranges[i] + v_missing - 1);
    v_head := v_head || p_ranges[i] || v_to;
    v_missing := v_missing - (v_to - p_ranges[i] + 1);
  END LOOP;
  RETURN v_head;
END
$unforget$;

CREATE FUNCTION ${schema}.page_ranges_2(p_ranges bigint[], p_before bigint, p_after bigint) RETURNS bigint[] LANGUAGE plpgsql IMMUTABLE
AS $unforget$
DECLARE
  v_seq bigint := coalesce(p_before, p_after);
BEGIN
  IF v_seq IS NULL THEN
    RETURN p_ranges;
  END IF;
  FOR i IN 1 .. coalesce(cardinality(p_ranges), 0) BY 2 LOOP
    CONTINUE WHEN NOT v_seq BETWEEN p_ranges[i] AND p_ranges[i + 1];
    IF p_before IS NOT NULL THEN
      RETURN p_ranges[1 : i - 1] || CASE WHEN v_seq > p_ranges[i] THEN ARRAY[p_ranges[i], v_seq - 1] ELSE '{}' END;
    END IF;
    RETURN CASE WHEN v_seq < p_ranges[i + 1] THEN ARRAY[v_seq + 1, p_ranges[i + 1]] ELSE '{}' END || p_ranges[i + 2 :];
  END LOOP;
  RETURN '{}';
END
$unforget$;

CREATE FUNCTION ${schema}.epoch_ranges_2(p_session bigint, p_epoch bigint, p_end bigint) RETURNS bigint[] LANGUAGE plpgsql STABLE
AS $unforget$
DECLARE
  v_ranges bigint[] := '{}';
  v_number bigint := p_epoch;
  v_end bigint := p_end;
  v_needed bigint := ${Number.MAX_SAFE_INTEGER};
  v_epoch record;
BEGIN
  LOOP
    SELECT e.path, e.base, e.kept, e.own INTO v_epoch FROM ${schema}.epochs e WHERE e.session = p_session AND e.number = v_number;
    IF v_epoch.path IS NOT NULL THEN
      RETURN ${schema}.first_ranges_2(${schema}.path_ranges_2(v_epoch.path, v_end), v_needed) || v_ranges;
    END IF;
    IF v_epoch.base IS NULL OR v_epoch.kept IS NULL OR v_epoch.base >= v_number THEN
      RETURN '{}';
    END IF;
    IF v_needed > v_epoch.kept THEN
      v_ranges := ${schema}.first_ranges_2(${schema}.path_ranges_2(v_epoch.own, v_end), v_needed - v_epoch.kept) || v_ranges;
    END IF;
    v_needed := least(v_needed, v_epoch.kept);
    v_number := v_epoch.base;
    v_end := ${Number.MAX_SAFE_INTEGER};
  END LOOP;
END
$unforget$;
`
}
