import { erasedOperationsKept, operationsKept, shortDigest } from '../../../core/operation.ts'

/** The server's clock, in milliseconds. */
export const nowSql = "floor(date_part('epoch', clock_timestamp()) * 1000)"

/** What `ttl` and `expires_at` of a row become by a write, as `advance` has it; `greatest` leaves out what is null. */
export function slideSql(row: string): { ttl: string; expiresAt: string } {
  const ttl = `CASE WHEN ${row}.own_ttl THEN ${row}.ttl ELSE coalesce(p_ttl, ${row}.ttl) END`
  const least = `CASE WHEN ${ttl} = ${row}.ttl THEN ${row}.expires_at END`
  return {
    ttl,
    expiresAt: `CASE WHEN ${ttl} IS NULL THEN ${row}.expires_at ELSE greatest(ceil(v_now + ${ttl}), ${least}) END`,
  }
}

export function versionSql(row: string): string {
  return `${row}.birth || '.' || ${row}.counter || '.' || ${row}.nonce`
}

export function publicEpochSql(row: string): string {
  return `${row}.birth || '.' || ${row}.taken_back || '.' || ${row}.taken_back_nonce`
}

export function pathTokenSql(row: string): string {
  return `${row}.birth || '.' || ${row}.epoch || '.' || ${row}.epoch_nonce`
}

/** What is refused unless the turn is held under `p_if_turn`. Under the lock of the session, as it is taken: nobody takes the turn before the commit. */
export function ifTurnSql(schema: string): string {
  return `
  IF p_if_turn IS NOT NULL AND NOT EXISTS (
    SELECT FROM ${schema}.turns t WHERE t.key = p_key AND t.token = p_if_turn AND t.until > v_now) THEN
    RETURN '["TURN"]';
  END IF;`
}

/** How every function that writes begins. Where it does not wait for the lock of its session, it replies `BUSY` if others have it. */
export function lockSql(schema: string): string {
  return `
  IF p_wait IS NULL AND NOT pg_try_advisory_xact_lock(${schema}.lock_of_2(p_key)) THEN
    RETURN '["BUSY"]';
  ELSIF p_wait IS NOT NULL THEN
    PERFORM set_config('lock_timeout', p_wait::text, true);
    PERFORM pg_advisory_xact_lock(${schema}.lock_of_2(p_key));
  END IF;`
}

/** Whether a session has an epoch above the one in its row. `row` is the alias of the row. */
export function epochBehindSql(schema: string, row: string): string {
  return `EXISTS (SELECT FROM ${schema}.epochs b WHERE b.session = ${row}.session AND b.number > ${row}.epoch)`
}

/** The same of entries as well: the row was set back. Each is one look at the end of an index. */
export function behindSql(schema: string, row: string): string {
  return `(EXISTS (SELECT FROM ${schema}.entries b WHERE b.session = ${row}.session AND b.seq > ${row}.last)
    OR ${epochBehindSql(schema, row)})`
}

/**
 * What the functions that write share. `seed`: of the advisory locks of this schema's sessions. `forget_operations` scans the index, which a
 * scan of that kind rids of what was deleted before; any other would look at it again and again until the table is vacuumed. The last operations that
 * callers named stay, however many others there were since. It tells how many are left.
 */
export function sharedFunctionsSql(schema: string, seed: string): string {
  return `
CREATE FUNCTION ${schema}.now_2() RETURNS double precision LANGUAGE sql VOLATILE
AS $unforget$ SELECT ${nowSql} $unforget$;

CREATE FUNCTION ${schema}.lock_of_2(p_key bytea) RETURNS bigint LANGUAGE sql IMMUTABLE
AS $unforget$ SELECT hashtextextended(encode(p_key, 'hex'), '${seed}') $unforget$;

CREATE FUNCTION ${schema}.forget_operations_2(p_session bigint, p_counter bigint, p_before bigint) RETURNS bigint LANGUAGE plpgsql VOLATILE
SET enable_bitmapscan = off SET enable_seqscan = off
AS $unforget$
DECLARE
  v_named bigint;
BEGIN
  SELECT o.number INTO v_named FROM ${schema}.operations o WHERE o.session = p_session AND o.digest <> ''
    ORDER BY o.number DESC OFFSET ${operationsKept - 1} LIMIT 1;
  DELETE FROM ${schema}.operations o WHERE o.session = p_session AND o.at < p_before
    AND o.number < CASE o.digest WHEN '' THEN p_counter - ${operationsKept - 1} ELSE v_named END;
  RETURN (SELECT count(*) FROM ${schema}.operations o WHERE o.session = p_session);
END
$unforget$;

CREATE FUNCTION ${schema}.unlink_session_2(p_key bytea, p_session bigint) RETURNS void LANGUAGE plpgsql VOLATILE
AS $unforget$
BEGIN
  INSERT INTO ${schema}.erased_operations AS old
    SELECT p_key, o.operation, left(o.digest, ${shortDigest}), o.version, o.epoch, o.first, o.count, o.at, o.answer,
      ${schema}.now_2() + ${erasedOperationsKept}
    FROM ${schema}.operations o WHERE o.session = p_session
    ON CONFLICT (key, operation) DO UPDATE SET (digest, version, epoch, first, count, at, answer, until) =
      (excluded.digest, excluded.version, excluded.epoch, excluded.first, excluded.count, excluded.at, excluded.answer, excluded.until);
  DELETE FROM ${schema}.operations o WHERE o.session = p_session;
  DELETE FROM ${schema}.snapshots s WHERE s.session = p_session;
  DELETE FROM ${schema}.epochs e WHERE e.session = p_session;
  DELETE FROM ${schema}.names n WHERE n.key = p_key;
  DELETE FROM ${schema}.sessions s WHERE s.key = p_key;
  INSERT INTO ${schema}.erased VALUES (p_session) ON CONFLICT DO NOTHING;
END
$unforget$;

CREATE FUNCTION ${schema}.fill_path_2(p_plan text[], p_last bigint, p_count bigint) RETURNS text LANGUAGE plpgsql IMMUTABLE
AS $unforget$
DECLARE
  v_ranges bigint[] := '{}';
  v_size integer := 0;
  v_place text;
  v_from bigint;
  v_to bigint;
  v_before bigint := 0;
  v_steps text[] := '{}';
BEGIN
  FOR i IN 1 .. cardinality(p_plan) BY 2 LOOP
    v_place := p_plan[i];
    v_from := CASE v_place WHEN 'appended' THEN p_last + 1 WHEN 'next' THEN p_last + p_count + 1 ELSE v_place::bigint END;
    v_place := p_plan[i + 1];
    v_to := CASE v_place WHEN 'open' THEN NULL WHEN 'end' THEN p_last WHEN 'appended' THEN p_last + 1 ELSE v_place::bigint END;
    CONTINUE WHEN v_to < v_from;
    IF v_size > 0 AND v_ranges[v_size] = v_from - 1 THEN
      v_ranges[v_size] := v_to;
    ELSE
      v_ranges := v_ranges || v_from || v_to;
      v_size := v_size + 2;
    END IF;
  END LOOP;
  FOR i IN 1 .. v_size BY 2 LOOP
    v_from := v_ranges[i];
    v_to := v_ranges[i + 1];
    v_steps := v_steps || (v_from - v_before)::text || coalesce((v_to - v_from)::text, 'null');
    v_before := coalesce(v_to, v_from);
  END LOOP;
  RETURN '[' || array_to_string(v_steps, ',') || ']';
END
$unforget$;

CREATE FUNCTION ${schema}.committed_2(p_version text, p_epoch text, p_first bigint, p_count bigint, p_at bigint, p_answer text)
RETURNS text LANGUAGE sql IMMUTABLE
AS $unforget$ SELECT json_build_array('OK', p_version, p_epoch, p_first, p_count, p_at, p_answer)::text $unforget$;
`
}
