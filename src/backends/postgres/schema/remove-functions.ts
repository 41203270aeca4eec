import { erasedOperationsKept } from '../../../core/operation.ts'
import { lockSql } from './shared-functions.ts'

/** So many expired sessions are erased at a time. */
const expiredAtOnce = 20

/** So much is removed in one go, so that nobody waits long for a lock. */
const slice = { entries: 1000, bytes: 4_000_000, operations: 1000 }

/** Each call takes at most one lock that it waits for, so that none of them can be part of a deadlock. */
export function removeFunctionsSql(schema: string): string {
  return `
CREATE FUNCTION ${schema}.delete_entries_1(
  p_session bigint, p_from bigint, p_to bigint, p_limit bigint, OUT entries bigint, OUT done boolean
) LANGUAGE plpgsql VOLATILE
AS $unforget$
#variable_conflict use_column
DECLARE
  v_end bigint;
  v_count bigint;
BEGIN
  SELECT max(f.seq), count(*) INTO v_end, v_count FROM (
    SELECT e.seq, sum(octet_length(e.body) + coalesce(octet_length(e.bytes), 0)) OVER (ORDER BY e.seq)
      - octet_length(e.body) - coalesce(octet_length(e.bytes), 0) AS before
    FROM (SELECT * FROM ${schema}.entries e WHERE e.session = p_session AND e.seq BETWEEN p_from AND p_to ORDER BY e.seq LIMIT p_limit) e
  ) f WHERE f.before <= ${slice.bytes};
  IF v_count < p_limit AND NOT EXISTS (
    SELECT FROM ${schema}.entries e WHERE e.session = p_session AND e.seq > v_end AND e.seq <= p_to
  ) THEN
    v_end := p_to;
  END IF;
  DELETE FROM ${schema}.summaries m WHERE m.session = p_session AND m.seq BETWEEN p_from AND v_end;
  DELETE FROM ${schema}.entries e WHERE e.session = p_session AND e.seq BETWEEN p_from AND v_end;
  GET DIAGNOSTICS entries = ROW_COUNT;
  done := v_end = p_to;
END
$unforget$;

CREATE FUNCTION ${schema}.drop_entries_1(
  p_wait integer, p_key bytea, p_if_epoch text, p_ranges bigint[], p_epochs bigint[], p_limit bigint
) RETURNS text LANGUAGE plpgsql VOLATILE
AS $unforget$
#variable_conflict use_column
DECLARE
  v_head ${schema}.sessions;
  v_slice record;
  v_entries bigint := 0;
  v_done boolean := true;
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RETURN '["ISOLATION"]';
  END IF;${lockSql(schema)}
  SELECT * INTO v_head FROM ${schema}.sessions s WHERE s.key = p_key;
  IF NOT FOUND AND EXISTS (SELECT FROM ${schema}.names n WHERE n.key = p_key) THEN
    RETURN '["LOST"]';
  END IF;
  IF v_head.key IS NULL OR v_head.expires_at <= ${schema}.now_1()
    OR v_head.birth || '.' || v_head.epoch || '.' || v_head.epoch_nonce <> p_if_epoch THEN
    RETURN '["EPOCH"]';
  END IF;
  DELETE FROM ${schema}.epochs e WHERE e.session = v_head.session AND e.number = ANY (p_epochs);
  FOR i IN 1 .. cardinality(p_ranges) BY 2 LOOP
    v_done := v_entries < p_limit;
    EXIT WHEN NOT v_done;
    SELECT * INTO v_slice FROM ${schema}.delete_entries_1(v_head.session, p_ranges[i], p_ranges[i + 1], p_limit - v_entries);
    v_entries := v_entries + v_slice.entries;
    v_done := v_slice.done;
    EXIT WHEN NOT v_done;
  END LOOP;
  RETURN json_build_array('OK', v_entries, v_done);
END
$unforget$;

CREATE FUNCTION ${schema}.erase_session_1(p_wait integer, p_key bytea, p_operation bytea) RETURNS text
LANGUAGE plpgsql VOLATILE
AS $unforget$
#variable_conflict use_column
DECLARE
  v_session bigint;
  v_expires_at double precision;
  v_existed boolean;
  v_now double precision;
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RETURN '["ISOLATION"]';
  END IF;${lockSql(schema)}
  IF EXISTS (SELECT FROM ${schema}.erased_operations o WHERE o.key = p_key AND o.operation = p_operation) THEN
    RETURN '["OK", true]';
  END IF;
  SELECT s.session, s.expires_at INTO v_session, v_expires_at FROM ${schema}.sessions s WHERE s.key = p_key;
  IF NOT FOUND THEN
    SELECT n.session INTO v_session FROM ${schema}.names n WHERE n.key = p_key;
  END IF;
  v_now := ${schema}.now_1();
  v_existed := v_session IS NOT NULL AND (v_expires_at IS NULL OR v_expires_at > v_now);
  IF v_session IS NOT NULL THEN
    PERFORM ${schema}.unlink_session_1(p_key, v_session);
  END IF;
  IF v_existed THEN
    INSERT INTO ${schema}.erased_operations
      VALUES (p_key, p_operation, 'erased', '', '', 1, 0, v_now, NULL, v_now + ${erasedOperationsKept});
  END IF;
  RETURN json_build_array('OK', v_existed);
END
$unforget$;

CREATE FUNCTION ${schema}.reclaim_1(p_wait integer, p_expired boolean) RETURNS text
LANGUAGE plpgsql VOLATILE
AS $unforget$
#variable_conflict use_column
DECLARE
  v_now double precision := ${schema}.now_1();
  v_session bigint;
  v_slice record;
  v_key bytea;
  v_done boolean;
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RETURN '["ISOLATION"]';
  END IF;
  PERFORM set_config('lock_timeout', p_wait::text, true);
  DELETE FROM ${schema}.erased_operations o WHERE o.ctid = ANY (ARRAY(
    SELECT o.ctid FROM ${schema}.erased_operations o WHERE o.until <= v_now LIMIT ${slice.operations} FOR UPDATE SKIP LOCKED));
  IF FOUND THEN
    RETURN json_build_array('OK', 0, false);
  END IF;
  SELECT g.session INTO v_session FROM ${schema}.erased g ORDER BY g.session LIMIT 1 FOR UPDATE;
  IF FOUND THEN
    SELECT * INTO v_slice FROM ${schema}.delete_entries_1(v_session, 1, 9223372036854775807, ${slice.entries});
    IF v_slice.done THEN
      DELETE FROM ${schema}.erased g WHERE g.session = v_session;
    END IF;
    RETURN json_build_array('OK', v_slice.entries, false);
  END IF;
  v_done := NOT EXISTS (SELECT FROM ${schema}.erased);
  IF NOT (p_expired AND v_done) THEN
    RETURN json_build_array('OK', 0, v_done);
  END IF;
  FOR v_key IN SELECT s.key FROM ${schema}.sessions s WHERE s.expires_at <= v_now LIMIT ${expiredAtOnce} LOOP
    v_done := false;
    IF pg_try_advisory_xact_lock(${schema}.lock_of_1(v_key)) THEN
      SELECT s.session INTO v_session FROM ${schema}.sessions s WHERE s.key = v_key AND s.expires_at <= v_now;
      IF FOUND THEN
        PERFORM ${schema}.unlink_session_1(v_key, v_session);
      END IF;
    END IF;
  END LOOP;
  RETURN json_build_array('OK', 0, v_done);
END
$unforget$;
`
}
