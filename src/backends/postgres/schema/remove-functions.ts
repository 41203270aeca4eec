import { erasedOperationsKept, stagedFor } from '../../../core/operation.ts'
import { slice } from '../../../core/slice.ts'
import { behindSql, ifTurnSql, lockSql, pathTokenSql, versionSql } from './shared-functions.ts'

const maxExpiredPerCall = 20

/** Of ended sessions and their operations, in addition to a slice of entries. */
const maxPerCall = { operations: 1000, turns: 1000, sessions: 200 }

/** Each call takes at most one lock that it waits for, so that none of them can be part of a deadlock. */
export function removeFunctionsSql(schema: string): string {
  return `
CREATE FUNCTION ${schema}.delete_entries_2(
  p_session bigint, p_from bigint, p_to bigint, p_limit bigint, p_bytes bigint, OUT entries bigint, OUT bytes bigint, OUT done boolean
) LANGUAGE plpgsql VOLATILE
AS $unforget$
#variable_conflict use_column
DECLARE
  v_end bigint;
BEGIN
  SELECT max(f.seq), count(*), coalesce(max(f.total), 0) INTO v_end, entries, bytes FROM (
    SELECT e.seq, e.size, sum(e.size) OVER (ORDER BY e.seq) AS total FROM (
      SELECT e.seq, octet_length(e.body) + coalesce(octet_length(e.bytes), 0) AS size FROM ${schema}.entries e
      WHERE e.session = p_session AND e.seq BETWEEN p_from AND p_to ORDER BY e.seq LIMIT p_limit
    ) e
  ) f WHERE f.total - f.size < p_bytes;
  IF entries < p_limit AND NOT EXISTS (
    SELECT FROM ${schema}.entries e WHERE e.session = p_session AND e.seq > v_end AND e.seq <= p_to
  ) THEN
    v_end := p_to;
  END IF;
  DELETE FROM ${schema}.summaries m WHERE m.session = p_session AND m.seq BETWEEN p_from AND v_end;
  DELETE FROM ${schema}.entries e WHERE e.session = p_session AND e.seq BETWEEN p_from AND v_end;
  done := v_end = p_to;
END
$unforget$;

CREATE FUNCTION ${schema}.drop_entries_2(
  p_wait integer, p_key bytea, p_if_path text, p_ranges bigint[], p_epochs bigint[], p_limit bigint
) RETURNS text LANGUAGE plpgsql VOLATILE
AS $unforget$
#variable_conflict use_column
DECLARE
  v_head ${schema}.sessions;
  v_slice record;
  v_entries bigint := 0;
  v_bytes bigint := 0;
  v_done boolean := true;
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RETURN '["ISOLATION"]';
  END IF;${lockSql(schema)}
  SELECT * INTO v_head FROM ${schema}.sessions s WHERE s.key = p_key;
  IF NOT FOUND AND EXISTS (SELECT FROM ${schema}.names n WHERE n.key = p_key) THEN
    RETURN '["LOST"]';
  END IF;
  IF v_head.key IS NULL OR v_head.expires_at <= ${schema}.now_2()
    OR ${pathTokenSql('v_head')} <> p_if_path THEN
    RETURN '["PATH"]';
  END IF;
  IF ${behindSql(schema, 'v_head')} THEN
    RETURN '["LOST"]';
  END IF;
  DELETE FROM ${schema}.epochs e WHERE e.session = v_head.session AND e.number = ANY (p_epochs);
  FOR i IN 1 .. cardinality(p_ranges) BY 2 LOOP
    v_done := v_entries < p_limit AND v_bytes < ${slice.bytes};
    EXIT WHEN NOT v_done;
    SELECT * INTO v_slice FROM ${schema}.delete_entries_2(
      v_head.session, p_ranges[i], p_ranges[i + 1], p_limit - v_entries, ${slice.bytes} - v_bytes);
    v_entries := v_entries + v_slice.entries;
    v_bytes := v_bytes + v_slice.bytes;
    v_done := v_slice.done;
    EXIT WHEN NOT v_done;
  END LOOP;
  RETURN json_build_array('OK', v_entries, v_done);
END
$unforget$;

CREATE FUNCTION ${schema}.erase_session_2(
  p_wait integer, p_key bytea, p_operation bytea, p_if_turn text DEFAULT NULL, p_if_version text DEFAULT NULL
) RETURNS text LANGUAGE plpgsql VOLATILE
AS $unforget$
#variable_conflict use_column
DECLARE
  v_head ${schema}.sessions;
  v_session bigint;
  v_existed boolean;
  v_version text;
  v_now double precision;
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RETURN '["ISOLATION"]';
  END IF;${lockSql(schema)}
  IF EXISTS (SELECT FROM ${schema}.erased_operations o WHERE o.key = p_key AND o.operation = p_operation) THEN
    RETURN '["OK", true]';
  END IF;
  v_now := ${schema}.now_2();
  SELECT * INTO v_head FROM ${schema}.sessions s WHERE s.key = p_key;
  v_session := coalesce(v_head.session, (SELECT n.session FROM ${schema}.names n WHERE n.key = p_key));
  v_existed := v_session IS NOT NULL AND (v_head.expires_at IS NULL OR v_head.expires_at > v_now);${ifTurnSql(schema)}
  v_version := CASE WHEN v_existed AND v_head.key IS NOT NULL THEN ${versionSql('v_head')} ELSE '' END;
  IF v_version <> p_if_version THEN
    RETURN json_build_array('VERSION', v_version);
  END IF;
  IF v_session IS NOT NULL THEN
    PERFORM ${schema}.unlink_session_2(p_key, v_session);
  END IF;
  IF v_existed THEN
    INSERT INTO ${schema}.erased_operations
      VALUES (p_key, p_operation, 'erased', '', '', 1, 0, v_now, NULL, v_now + ${erasedOperationsKept});
  END IF;
  RETURN json_build_array('OK', v_existed);
END
$unforget$;

CREATE FUNCTION ${schema}.reclaim_2(p_wait integer, p_expired_for double precision DEFAULT NULL) RETURNS text
LANGUAGE plpgsql VOLATILE
AS $unforget$
#variable_conflict use_column
DECLARE
  v_now double precision := ${schema}.now_2();
  v_session bigint;
  v_slice record;
  v_entries bigint := 0;
  v_bytes bigint := 0;
  v_key bytea;
  v_done boolean;
  v_expired double precision := v_now - p_expired_for;
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RETURN '["ISOLATION"]';
  END IF;
  PERFORM set_config('lock_timeout', p_wait::text, true);
  DELETE FROM ${schema}.erased_operations o WHERE o.ctid = ANY (ARRAY(
    SELECT o.ctid FROM ${schema}.erased_operations o WHERE o.until <= v_now LIMIT ${maxPerCall.operations} FOR UPDATE SKIP LOCKED));
  IF FOUND THEN
    RETURN json_build_array('OK', 0, false);
  END IF;
  DELETE FROM ${schema}.turns t WHERE t.key = ANY (ARRAY(
    SELECT t.key FROM ${schema}.turns t WHERE t.until <= v_now LIMIT ${maxPerCall.turns} FOR UPDATE SKIP LOCKED));
  WITH late AS (DELETE FROM ${schema}.staged c WHERE c.copy = ANY (ARRAY(
    SELECT c.copy FROM ${schema}.staged c WHERE c.written_at <= v_now - ${stagedFor} LIMIT ${maxPerCall.sessions} FOR UPDATE SKIP LOCKED))
    RETURNING c.session)
    INSERT INTO ${schema}.erased SELECT late.session FROM late ON CONFLICT DO NOTHING;
  SELECT g.session INTO v_session FROM ${schema}.erased g ORDER BY g.session LIMIT 1 FOR UPDATE;
  FOR i IN 1 .. ${maxPerCall.sessions} LOOP
    EXIT WHEN NOT FOUND;
    SELECT * INTO v_slice FROM ${schema}.delete_entries_2(
      v_session, 1, 9223372036854775807, ${slice.entries} - v_entries, ${slice.bytes} - v_bytes);
    v_entries := v_entries + v_slice.entries;
    v_bytes := v_bytes + v_slice.bytes;
    IF NOT v_slice.done THEN
      RETURN json_build_array('OK', v_entries, false);
    END IF;
    DELETE FROM ${schema}.erased g WHERE g.session = v_session;
    IF v_entries >= ${slice.entries} OR v_bytes >= ${slice.bytes} THEN
      RETURN json_build_array('OK', v_entries, false);
    END IF;
    SELECT g.session INTO v_session FROM ${schema}.erased g WHERE g.session > v_session ORDER BY g.session LIMIT 1 FOR UPDATE SKIP LOCKED;
  END LOOP;
  v_done := NOT EXISTS (SELECT FROM ${schema}.erased);
  IF v_expired IS NULL OR NOT v_done THEN
    RETURN json_build_array('OK', v_entries, v_done);
  END IF;
  FOR v_key IN SELECT s.key FROM ${schema}.sessions s WHERE s.expires_at <= v_expired LIMIT ${maxExpiredPerCall} LOOP
    v_done := false;
    IF pg_try_advisory_xact_lock(${schema}.lock_of_2(v_key)) THEN
      SELECT s.session INTO v_session FROM ${schema}.sessions s WHERE s.key = v_key AND s.expires_at <= v_expired;
      IF FOUND THEN
        PERFORM ${schema}.unlink_session_2(v_key, v_session);
      END IF;
    END IF;
  END LOOP;
  RETURN json_build_array('OK', v_entries, v_done);
END
$unforget$;
`
}
