import { aboutSql, headSql } from './head-columns.ts'
import { behindSql } from './shared-functions.ts'
import { ownedSql } from './tables-2.ts'

/**
 * Pages of sessions, each as of one moment. A session is lost, and has no `body`, if it has no row, its row was set back, or its name is missing.
 * `list_owned` sorts all sessions of the owner and looks at no others, whatever the planner thinks. It looks them up by a list of keys, in half the time of a join. It returns one more than `p_limit` if there are more.
 */
export function listFunctionsSql(schema: string): string {
  const body = `CASE WHEN n.key IS NOT NULL AND s.key IS NOT NULL THEN
      ${headSql('s', `CASE WHEN NOT ${behindSql(schema, 's')} THEN e.path END`)} END`
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
BEGIN
  RETURN QUERY WITH found AS MATERIALIZED (
    SELECT s.key, s.id, s.updated_at, s.expires_at FROM ${schema}.sessions s WHERE s.key = ANY (v_keys)
  ), owned AS (
    SELECT f.key, f.id, f.updated_at FROM found f WHERE f.expires_at IS NULL OR f.expires_at > v_now
    UNION ALL
    SELECT n.key, n.id, 0 FROM ${schema}.names n WHERE (SELECT count(*) FROM found) < cardinality(v_keys)
      AND ${ownedSql('p_owner')} AND NOT EXISTS (SELECT FROM ${schema}.sessions s WHERE s.key = n.key)
  ), page AS MATERIALIZED (
    SELECT o.key, o.id, o.updated_at FROM owned o
      WHERE p_updated_at IS NULL OR (-o.updated_at, o.id) > (-p_updated_at, p_id)
      ORDER BY 3 DESC, 2 LIMIT p_limit + 1
  ) SELECT p.id, p.updated_at, ${body}, ${aboutSql('n')}
    FROM page p JOIN ${schema}.names n ON n.key = p.key LEFT JOIN ${schema}.sessions s ON s.key = p.key AND s.session = n.session
    LEFT JOIN ${schema}.epochs e ON e.session = s.session AND e.number = s.epoch
    ORDER BY 2 DESC, 1;
END
$unforget$;
`
}
