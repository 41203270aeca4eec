import { entryFormats } from '../../../core/encode-entry.ts'
import { pruneEvery } from './write-functions.ts'

/**
 * Appends plain messages to sessions, one change after the other, each as `apply_change` would: sessions that are there, operations that are
 * new, nothing to prune, in three statements; all else by `apply_change` itself. Only the first change waits for its lock, so that two calls
 * cannot wait for one another: one that finds its session locked is `BUSY`, and to be sent alone.
 */
export function appendFunctionSql(schema: string): string {
  return `
CREATE FUNCTION ${schema}.append_1(
  p_wait integer, p_ttl double precision, p_keys bytea[], p_ids bytea[], p_operations bytea[], p_digests text[], p_answers text[],
  p_nonces text[], p_counts integer[], p_bodies text[]
) RETURNS SETOF text LANGUAGE plpgsql VOLATILE
AS $unforget$
DECLARE
  v_key bytea;
  v_operation bytea;
  v_count integer;
  v_from integer := 1;
  v_head record;
BEGIN
  PERFORM set_config('lock_timeout', p_wait::text, true), pg_advisory_xact_lock(${schema}.lock_of_1(p_keys[1]));
  FOR i IN 1 .. cardinality(p_keys) LOOP
    v_key := p_keys[i];
    v_operation := p_operations[i];
    v_count := p_counts[i];
    IF i > 1 AND NOT pg_try_advisory_xact_lock(${schema}.lock_of_1(v_key)) THEN
      RETURN NEXT '["BUSY"]';
    ELSE
      SELECT s.session, ${schema}.now_1()::bigint AS at, s.expires_at, s.last + v_count AS last, s.counter + 1 AS counter,
        CASE WHEN s.own_ttl THEN s.ttl ELSE coalesce(p_ttl, s.ttl) END AS ttl,
        s.birth || '.' || (s.counter + 1) || '.' || p_nonces[i] AS version, s.birth || '.' || s.epoch || '.' || s.epoch_nonce AS epoch,
        s.counter % ${pruneEvery} <> ${pruneEvery - 1} AND current_setting('transaction_isolation') = 'read committed'
          AND NOT EXISTS (SELECT FROM ${schema}.operations o WHERE o.session = s.session AND o.operation = v_operation)
          AND NOT EXISTS (SELECT FROM ${schema}.erased_operations o WHERE o.key = v_key AND o.operation = v_operation) AS is_plain
        INTO v_head FROM ${schema}.sessions s WHERE s.key = v_key;
      IF v_head.is_plain AND (v_head.expires_at IS NULL OR v_head.expires_at > v_head.at) THEN
        UPDATE ${schema}.sessions s SET counter = v_head.counter, nonce = p_nonces[i], last = v_head.last, updated_at = v_head.at,
          ttl = v_head.ttl, expires_at = coalesce(ceil(v_head.at + v_head.ttl), s.expires_at) WHERE s.key = v_key;
        IF v_count = 1 THEN
          INSERT INTO ${schema}.entries
            VALUES (v_head.session, v_head.last, v_head.at, ${entryFormats.plain}, 'message', p_bodies[v_from], NULL);
        ELSE
          INSERT INTO ${schema}.entries
            SELECT v_head.session, v_head.last - v_count + b.place, v_head.at, ${entryFormats.plain}, 'message', b.body, NULL
            FROM unnest(p_bodies[v_from : v_from + v_count - 1]) WITH ORDINALITY b(body, place);
        END IF;
        INSERT INTO ${schema}.operations VALUES (v_head.session, v_operation, v_head.counter, p_digests[i], v_head.version,
          v_head.epoch, v_head.last - v_count + 1, v_count, v_head.at, p_answers[i]);
        RETURN NEXT ${schema}.committed_1(v_head.version, v_head.epoch, v_head.last - v_count + 1, v_count, v_head.at, p_answers[i]);
      ELSE
        RETURN NEXT ${schema}.apply_change_1(p_wait, v_key, p_ids[i], v_operation, p_digests[i], p_answers[i], p_nonces[i], p_ttl,
          p_bodies[v_from : v_from + v_count - 1]);
      END IF;
    END IF;
    v_from := v_from + v_count;
  END LOOP;
END
$unforget$;
`
}
