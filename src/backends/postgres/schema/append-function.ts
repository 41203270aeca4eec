import { entryFormats } from '../../../core/seal-entry.ts'
import { epochBehindSql, nowSql, publicEpochSql, slideSql } from './shared-functions.ts'

/**
 * Appends plain messages as `apply_change` would, to an existing session, with a new operation and nothing to prune, in
 * as few and as simple statements as possible; everything else goes to `apply_change`. It looks up the operation
 * only if it has a digest, which means that the caller named it and may repeat it. An operation without one is repeated only after a failure: then its row exists, the
 * statement fails, and `apply_change` must be called instead. The same happens if the session's log continues after its end, because the row of the next entry exists. The isolation
 * level is not checked: in any other level, a session that changed after the database snapshot fails the `UPDATE`. One message is `p_body`, several are `p_bodies`. Without
 * `p_wait`, a locked session is `BUSY`, so that a transaction of many sessions waits for none of them and two transactions cannot wait
 * for each other.
 */
export function appendFunctionSql(schema: string): string {
  const slide = slideSql('s')
  return `
CREATE FUNCTION ${schema}.append_2(
  p_wait text, p_key bytea, p_id bytea, p_operation bytea, p_nonce text, p_body text,
  p_digest text DEFAULT '', p_ttl double precision DEFAULT NULL, p_bodies text[] DEFAULT NULL
) RETURNS text LANGUAGE plpgsql VOLATILE
AS $unforget$
DECLARE
  v_count integer := coalesce(cardinality(p_bodies), 1);
  v_known boolean := false;
  v_now bigint;
  v_session bigint;
  v_counter bigint;
  v_last bigint;
  v_version text;
  v_epoch text;
BEGIN
  IF p_wait IS NOT NULL THEN
    v_version := set_config('lock_timeout', p_wait, true) || pg_advisory_xact_lock(${schema}.lock_of_2(p_key))::text;
  ELSIF NOT pg_try_advisory_xact_lock(${schema}.lock_of_2(p_key)) THEN
    RETURN '["BUSY"]';
  END IF;
  v_now := ${nowSql};
  IF p_digest <> '' THEN
    v_known := EXISTS (SELECT FROM ${schema}.sessions s JOIN ${schema}.operations o ON o.session = s.session
      WHERE s.key = p_key AND o.operation = p_operation);
  END IF;
  IF NOT v_known THEN
    UPDATE ${schema}.sessions s SET counter = s.counter + 1, nonce = p_nonce, last = s.last + v_count, updated_at = v_now,
      ttl = ${slide.ttl},
      expires_at = ${slide.expiresAt}
      WHERE s.key = p_key AND s.counter + 1 < s.prune_at AND (s.expires_at IS NULL OR s.expires_at > v_now)
        AND (s.known_until IS NULL OR s.known_until <= v_now)
        AND NOT ${epochBehindSql(schema, 's')}
      RETURNING s.session, s.counter, s.last, s.birth || '.' || s.counter || '.' || s.nonce, ${publicEpochSql('s')}
      INTO v_session, v_counter, v_last, v_version, v_epoch;
  END IF;
  IF v_session IS NULL THEN
    RETURN ${schema}.apply_change_2(p_wait::integer, p_key, p_id, p_operation, p_digest, NULL, p_nonce, p_ttl,
      coalesce(p_bodies, ARRAY[p_body]));
  END IF;
  IF p_bodies IS NULL THEN
    INSERT INTO ${schema}.entries VALUES (v_session, v_last, v_now, ${entryFormats.plain}, 'message', p_body, NULL);
  ELSE
    v_last := v_last - v_count + 1;
    INSERT INTO ${schema}.entries SELECT v_session, v_last + b.place - 1, v_now, ${entryFormats.plain}, 'message', b.body, NULL
      FROM unnest(p_bodies) WITH ORDINALITY b(body, place);
  END IF;
  INSERT INTO ${schema}.operations VALUES
    (v_session, p_operation, v_counter, p_digest, v_version, v_epoch, v_last, v_count, v_now, NULL);
  RETURN v_version || ' ' || v_epoch || ' ' || v_last || ' ' || v_now;
END
$unforget$;
`
}
