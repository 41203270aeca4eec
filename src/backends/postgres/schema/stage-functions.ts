import { entryFormats } from '../../../core/seal-entry.ts'

/** `stage` writes a slice of a copy. Slices ascend, so what does not come after the last entry is there already. `unstage` makes it an erased session like others. */
export function stageFunctionsSql(schema: string): string {
  return `
CREATE FUNCTION ${schema}.stage_2(
  p_wait integer, p_copy bytea, p_seqs bigint[], p_times bigint[], p_bodies text[],
  p_kinds text[] DEFAULT NULL, p_formats integer[] DEFAULT NULL, p_bytes bytea[] DEFAULT NULL
) RETURNS text LANGUAGE plpgsql VOLATILE
AS $unforget$
#variable_conflict use_column
DECLARE
  v_now bigint := ${schema}.now_2();
  v_session bigint;
  v_last bigint;
  v_count bigint;
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RETURN '["ISOLATION"]';
  END IF;
  PERFORM set_config('lock_timeout', p_wait::text, true);
  INSERT INTO ${schema}.staged SELECT p_copy, nextval('${schema}.session_numbers'), 0, v_now
    WHERE NOT EXISTS (SELECT FROM ${schema}.staged s WHERE s.copy = p_copy) ON CONFLICT DO NOTHING;
  SELECT s.session INTO v_session FROM ${schema}.staged s WHERE s.copy = p_copy FOR UPDATE;
  IF NOT FOUND THEN
    RETURN '["OK"]';
  END IF;
  v_last := coalesce((SELECT max(e.seq) FROM ${schema}.entries e WHERE e.session = v_session), 0);
  INSERT INTO ${schema}.entries
    SELECT v_session, t.seq, coalesce(t.at, v_now), coalesce(t.format, ${entryFormats.plain}), coalesce(t.kind, 'message'), t.body, t.bytes
    FROM unnest(p_seqs, p_times, p_formats, p_kinds, p_bodies, p_bytes) t(seq, at, format, kind, body, bytes) WHERE t.seq > v_last;
  GET DIAGNOSTICS v_count = ROW_COUNT;
  IF p_kinds IS NOT NULL THEN
    INSERT INTO ${schema}.summaries
      SELECT v_session, t.seq FROM unnest(p_seqs, p_kinds) t(seq, kind) WHERE t.seq > v_last AND t.kind IN ('summary', 'compaction');
  END IF;
  UPDATE ${schema}.staged s SET entries = s.entries + v_count, written_at = v_now WHERE s.copy = p_copy;
  RETURN '["OK"]';
END
$unforget$;

CREATE FUNCTION ${schema}.unstage_2(p_wait integer, p_copy bytea) RETURNS text LANGUAGE plpgsql VOLATILE
AS $unforget$
#variable_conflict use_column
DECLARE
  v_session bigint;
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RETURN '["ISOLATION"]';
  END IF;
  PERFORM set_config('lock_timeout', p_wait::text, true);
  DELETE FROM ${schema}.staged s WHERE s.copy = p_copy RETURNING s.session INTO v_session;
  IF v_session IS NOT NULL THEN
    INSERT INTO ${schema}.erased VALUES (v_session) ON CONFLICT DO NOTHING;
  END IF;
  RETURN json_build_array('OK', v_session IS NOT NULL);
END
$unforget$;
`
}
