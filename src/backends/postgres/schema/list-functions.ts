import { aboutSql, headSql } from './head-columns.ts'
import { behindSql } from './shared-functions.ts'
import { ownedSql } from './tables-2.ts'

/**
 * Pages of sessions, each as of one moment. A session is lost, and has no `body`, if it has no row, its row was set back, or its name is missing.
 * `list_owned` sorts all sessions of the owner and looks at no others, whatever the planner thinks. It looks them up by a list of keys, in half the time of a join; those without a row, which come last, only if they are on the page. It returns one more than `p_limit` if there are more.
 */
export function listFunctionsSql(schema: string): string {
  const body = `CASE WHEN n.key IS NOT NULL AND s.key IS NOT NULL THEN
      ${headSql('s', `CASE WHEN NOT ${behindSql(schema, 's')} THEN e.path END`)} END`
  const pageSql = (page: string) => `WITH page AS MATERIALIZED (${page}
  ) SELECT p.id, p.updated_at, ${body}, ${aboutSql('n')}
    FROM page p JOIN ${schema}.names n ON n.key = p.key LEFT JOIN ${schema}.sessions s ON s.key = p.key AND s.session = n.session
    LEFT JOIN ${schema}.epochs e ON e.session = s.session AND e.number = s.epoch
    ORDER BY 2 DESC, 1`
  return `
CREATE FUNCTION ${schema}.list_sessions_2(p_after bytea, p_limit integer)
RETURNS TABLE (key bytea, id bytea, body text, about text, has_row boolean) LANGUAGE plpgsql STABLE
AS $unforget$
#variable_conflict use_column
DECLARE
  v_keys bytea[];
BEGIN
  v_keys := ARRAY(SELECT s.key FROM ${schema}.sessions s
    WHERE s.key > p_after AND (s.expires_at IS NULL OR s.expires_at > ${schema}.now_2()) ORDER BY s.key LIMIT p_limit);
  RETURN QUERY SELECT s.key, s.id, ${body}, ${aboutSql('n')}, true
    FROM ${schema}.sessions s LEFT JOIN ${schema}.epochs e ON e.session = s.session AND e.number = s.epoch
    LEFT JOIN ${schema}.names n ON n.key = s.key AND n.session = s.session
    WHERE s.key = ANY (v_keys) ORDER BY s.key;
  RETURN QUERY SELECT n.key, n.id, NULL::text, NULL::text, false FROM ${schema}.names n
    WHERE n.key > p_after AND (cardinality(v_keys) < p_limit OR n.key < v_keys[cardinality(v_keys)])
    AND NOT EXISTS (SELECT FROM ${schema}.sessions s WHERE s.key = n.key) ORDER BY n.key;
END
$unforget$;

CREATE FUNCTION ${schema}.list_owned_2(p_owner text, p_limit integer, p_updated_at bigint DEFAULT NULL, p_id bytea DEFAULT NULL)
RETURNS TABLE (id bytea, updated_at bigint, body text, about text) LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_bitmapscan = off
AS $unforget$
#variable_conflict use_column
DECLARE
  v_now double precision := ${schema}.now_2();
  v_keys bytea[] := ARRAY(SELECT n.key FROM ${schema}.names n WHERE ${ownedSql('p_owner')});
  v_count integer;
BEGIN
  RETURN QUERY ${pageSql(`SELECT s.key, s.id, s.updated_at FROM ${schema}.sessions s
    WHERE s.key = ANY (v_keys) AND s.updated_at > 0 AND (s.expires_at IS NULL OR s.expires_at > v_now)
      AND (p_updated_at IS NULL OR (-s.updated_at, s.id) > (-p_updated_at, p_id))
    ORDER BY 3 DESC, 2 LIMIT p_limit + 1`)};
  GET DIAGNOSTICS v_count = ROW_COUNT;
  IF v_count <= p_limit THEN
    RETURN QUERY ${pageSql(`SELECT n.key, n.id, 0::bigint AS updated_at
      FROM ${schema}.names n LEFT JOIN ${schema}.sessions s ON s.key = n.key
      WHERE ${ownedSql('p_owner')} AND coalesce(s.updated_at, 0) <= 0 AND (s.expires_at IS NULL OR s.expires_at > v_now)
        AND (p_updated_at IS NULL OR (0, n.id) > (-p_updated_at, p_id))
      ORDER BY 2 LIMIT p_limit + 1 - v_count`)};
  END IF;
END
$unforget$;
`
}
