import { lockSql } from './shared-functions.ts'

/**
 * The turns of sessions. Each takes the lock of its session, as a commit does: whoever takes a turn over finds all that was written under it, and
 * nothing is written under it any more.
 */
export function turnFunctionsSql(schema: string): string {
  const begin = `
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RETURN '["ISOLATION"]';
  END IF;${lockSql(schema)}`
  return `
CREATE FUNCTION ${schema}.take_turn_2(p_wait integer, p_key bytea, p_token text, p_milliseconds double precision) RETURNS text
LANGUAGE plpgsql VOLATILE
AS $unforget$
DECLARE
  v_now double precision;
  v_left double precision;
BEGIN${begin}
  v_now := ${schema}.now_2();
  SELECT t.until - v_now INTO v_left FROM ${schema}.turns t WHERE t.key = p_key AND t.token <> p_token AND t.until > v_now;
  IF v_left IS NULL THEN
    INSERT INTO ${schema}.turns VALUES (p_key, p_token, v_now + p_milliseconds)
      ON CONFLICT (key) DO UPDATE SET token = excluded.token, until = excluded.until;
  END IF;
  RETURN json_build_array('OK', v_left);
END
$unforget$;

CREATE FUNCTION ${schema}.renew_turn_2(p_wait integer, p_key bytea, p_token text, p_milliseconds double precision) RETURNS text
LANGUAGE plpgsql VOLATILE
AS $unforget$
DECLARE
  v_now double precision;
BEGIN${begin}
  v_now := ${schema}.now_2();
  UPDATE ${schema}.turns t SET until = v_now + p_milliseconds WHERE t.key = p_key AND t.token = p_token AND t.until > v_now;
  RETURN json_build_array('OK', FOUND);
END
$unforget$;

CREATE FUNCTION ${schema}.end_turn_2(p_wait integer, p_key bytea, p_token text) RETURNS text LANGUAGE plpgsql VOLATILE
AS $unforget$
BEGIN${begin}
  DELETE FROM ${schema}.turns t WHERE t.key = p_key AND t.token = p_token;
  RETURN '["OK"]';
END
$unforget$;
`
}
