import { stagedFor } from '../../../core/operation.ts'
import { slice } from '../../../core/slice.ts'
import { aboutSql, headSql } from './head-columns.ts'
import { rangeFunctionsSql } from './range-functions.ts'
import { behindSql } from './shared-functions.ts'

const operation = 'json_build_array(o.digest, o.version, o.epoch, o.first, o.count, o.at, o.answer)::text'
const snapshot = 'json_build_array(s.label, s.automatic, s.epoch, s.last, s.at, s.number)::text'
/** Reads no more than the row: neither function looks into what is stored out of line. */
const size = 'octet_length(e.body) + coalesce(octet_length(e.bytes), 0)'
const epoch = 'json_build_array(e.path, e.base, e.kept, e.own)::text'

/** The rows of a reading: what each is says `part`. */
const rows = 'TABLE (part text, seq bigint, at bigint, format integer, kind text, body text, bytes bytea)'

/**
 * A STABLE function sees one moment, whatever it reads, in one round trip. What it finds it returns as rows of one shape; a session of which
 * no row but its name is left, or whose row was set back, as rows that say `lost`; one that has expired as a row that says so, for the moment that is seen may be before a write
 * that goes on with it.
 */
export function readFunctionsSql(schema: string): string {
  const lost = `
  IF NOT FOUND THEN
    RETURN QUERY SELECT 'lost'::text, e.seq, NULL::bigint, NULL::integer, NULL::text, NULL::text, NULL::bytea
      FROM ${schema}.names n LEFT JOIN ${schema}.entries e ON e.session = n.session WHERE n.key = p_key ORDER BY e.seq;
    IF FOUND THEN
      RETURN;
    END IF;
  END IF;`
  const present = (now: string) => `
  IF v_head.key IS NULL THEN
    RETURN;
  END IF;
  IF v_head.expires_at <= ${now} THEN
    part := 'expired';
    body := NULL;
    RETURN NEXT;
    RETURN;
  END IF;`
  const state = `
  IF ${behindSql(schema, 'v_head')} THEN
    part := 'lost';
    body := 'its state says that entry ' || v_head.last || ' is the last and epoch ' || v_head.epoch || ' the newest, and there are later ones';
    RETURN NEXT;
    RETURN;
  END IF;
  SELECT e.path INTO v_path FROM ${schema}.epochs e WHERE e.session = v_head.session AND e.number = v_head.epoch;
  part := 'head';
  body := ${headSql('v_head', 'v_path')};
  RETURN NEXT;`
  const about = `
    RETURN QUERY SELECT 'about'::text, NULL::bigint, NULL::bigint, NULL::integer, NULL::text, ${aboutSql('n')}, NULL::bytea
      FROM ${schema}.names n WHERE n.key = p_key AND n.session = v_head.session;`
  return `${rangeFunctionsSql(schema)}
CREATE FUNCTION ${schema}.fitting_ranges_2(p_session bigint, p_ranges bigint[], p_max_bytes bigint, p_from_end boolean)
RETURNS bigint[] LANGUAGE plpgsql STABLE
AS $unforget$
DECLARE
  v_left numeric;
  v_fitting bigint[] := '{}';
  v_reached bigint;
  v_is_full boolean := false;
  v_from bigint;
  v_to bigint;
  v_seq bigint;
  v_size bigint;
BEGIN
  SELECT p_max_bytes - coalesce(sum(${size}), 0) INTO v_left
    FROM generate_series(1, cardinality(p_ranges), 2) i, ${schema}.entries e
    WHERE e.session = p_session AND e.seq BETWEEN p_ranges[i] AND p_ranges[i + 1];
  IF v_left >= 0 THEN
    RETURN p_ranges;
  END IF;
  v_left := p_max_bytes;
  FOR i IN 1 .. cardinality(p_ranges) BY 2 LOOP
    v_from := p_ranges[CASE WHEN p_from_end THEN cardinality(p_ranges) - i ELSE i END];
    v_to := p_ranges[CASE WHEN p_from_end THEN cardinality(p_ranges) - i ELSE i END + 1];
    FOR v_seq, v_size IN SELECT e.seq, ${size} FROM ${schema}.entries e
      WHERE e.session = p_session AND e.seq BETWEEN v_from AND v_to ORDER BY CASE WHEN p_from_end THEN -e.seq ELSE e.seq END LOOP
      v_is_full := v_reached IS NOT NULL AND v_size > v_left;
      EXIT WHEN v_is_full;
      v_reached := v_seq;
      v_left := v_left - v_size;
    END LOOP;
    IF v_is_full AND NOT v_reached BETWEEN v_from AND v_to THEN
      RETURN v_fitting;
    ELSIF p_from_end THEN
      v_fitting := ARRAY[CASE WHEN v_is_full THEN v_reached ELSE v_from END, v_to] || v_fitting;
    ELSE
      v_fitting := v_fitting || v_from || CASE WHEN v_is_full THEN v_reached ELSE v_to END;
    END IF;
    EXIT WHEN v_is_full;
  END LOOP;
  RETURN v_fitting;
END
$unforget$;

CREATE FUNCTION ${schema}.read_session_2(
  p_key bytea, p_operation bytea DEFAULT NULL, p_snapshot bytea DEFAULT NULL, p_ranges bigint[] DEFAULT NULL,
  p_last bigint DEFAULT NULL, p_summaries_after bigint DEFAULT NULL, p_max_bytes bigint DEFAULT NULL,
  p_about boolean DEFAULT false, p_first bigint DEFAULT NULL, p_before bigint DEFAULT NULL, p_after bigint DEFAULT NULL
) RETURNS ${rows} LANGUAGE plpgsql STABLE
AS $unforget$
#variable_conflict use_column
DECLARE
  v_now double precision := ${schema}.now_2();
  v_head ${schema}.sessions;
  v_path text;
  v_ranges bigint[] := p_ranges;
  v_fitting bigint[];
  v_until bigint := 9223372036854775807;
BEGIN
  SELECT * INTO v_head FROM ${schema}.sessions s WHERE s.key = p_key;${lost}
  IF p_operation IS NOT NULL THEN
    part := 'operation';
    SELECT ${operation} INTO body FROM ${schema}.operations o WHERE o.session = v_head.session AND o.operation = p_operation;
    IF NOT FOUND THEN
      SELECT ${operation} INTO body FROM ${schema}.erased_operations o
        WHERE o.key = p_key AND o.operation = p_operation AND o.until > v_now;
      kind := 'erased';
    END IF;
    IF FOUND THEN
      RETURN NEXT;
    END IF;
    kind := NULL;
  END IF;
${present('v_now')}${state}
  IF p_about THEN${about}
  END IF;
  IF p_snapshot IS NOT NULL THEN
    part := 'snapshot';
    SELECT ${snapshot}, s.id INTO body, bytes FROM ${schema}.snapshots s WHERE s.session = v_head.session AND s.key = p_snapshot;
    IF FOUND THEN
      RETURN NEXT;
    END IF;
    RETURN QUERY WITH RECURSIVE chain AS (
      SELECT e.* FROM ${schema}.snapshots s JOIN ${schema}.epochs e ON e.session = s.session AND e.number = s.epoch
        WHERE s.session = v_head.session AND s.key = p_snapshot
      UNION ALL
      SELECT e.* FROM chain c JOIN ${schema}.epochs e ON e.session = c.session AND e.number = c.base
        WHERE c.path IS NULL AND c.base < c.number
    ) SELECT 'epoch'::text, e.number, e.at, NULL::integer, e.cause, ${epoch}, NULL::bytea FROM chain e;
    RETURN QUERY SELECT 'automatic'::text, s.number, NULL::bigint, NULL::integer, NULL::text, NULL::text, s.id
      FROM ${schema}.snapshots s WHERE s.session = v_head.session AND s.automatic ORDER BY s.number;
  END IF;
  IF p_ranges IS NULL AND coalesce(p_first, p_last) IS NOT NULL THEN
    IF p_snapshot IS NULL THEN
      v_ranges := ${schema}.path_ranges_2(v_path, v_head.last);
    ELSE
      SELECT ${schema}.epoch_ranges_2(s.session, s.epoch, s.last) INTO v_ranges
        FROM ${schema}.snapshots s WHERE s.session = v_head.session AND s.key = p_snapshot;
    END IF;
    v_ranges := ${schema}.page_ranges_2(coalesce(v_ranges, '{}'), p_before, p_after);
  END IF;
  IF p_last IS NOT NULL THEN
    v_ranges := ${schema}.last_ranges_2(v_ranges, p_last);
  ELSIF p_first IS NOT NULL THEN
    v_ranges := ${schema}.first_ranges_2(v_ranges, p_first);
  END IF;
  IF p_max_bytes IS NOT NULL AND cardinality(v_ranges) > 0 THEN
    v_fitting := ${schema}.fitting_ranges_2(v_head.session, v_ranges, p_max_bytes, p_last IS NOT NULL);
    IF v_fitting <> v_ranges THEN
      part := 'more';
      body := NULL;
      bytes := NULL;
      RETURN NEXT;
    END IF;
    v_ranges := v_fitting;
  END IF;
  FOR i IN 1 .. coalesce(cardinality(v_ranges), 0) BY 2 LOOP
    RETURN QUERY SELECT 'entry'::text, e.seq, e.at, e.format, e.kind, e.body, e.bytes FROM ${schema}.entries e
      WHERE e.session = v_head.session AND e.seq BETWEEN v_ranges[i] AND v_ranges[i + 1] ORDER BY e.seq;
  END LOOP;
  IF p_summaries_after IS NOT NULL THEN
    IF p_max_bytes IS NOT NULL THEN
      SELECT max(f.seq) INTO v_until FROM (
        SELECT m.seq, sum(coalesce(${size}, 0)) OVER (ORDER BY m.seq) AS total, row_number() OVER (ORDER BY m.seq) AS place
        FROM (SELECT m.* FROM ${schema}.summaries m WHERE m.session = v_head.session AND m.seq > p_summaries_after
          ORDER BY m.seq LIMIT ${slice.entries}) m
        LEFT JOIN ${schema}.entries e ON e.session = m.session AND e.seq = m.seq
      ) f WHERE f.place = 1 OR f.total <= p_max_bytes;
      IF EXISTS (SELECT FROM ${schema}.summaries m WHERE m.session = v_head.session AND m.seq > v_until) THEN
        part := 'more';
        body := NULL;
        bytes := NULL;
        RETURN NEXT;
      END IF;
    END IF;
    RETURN QUERY SELECT 'summary'::text, m.seq, e.at, e.format, e.kind, e.body, e.bytes
      FROM ${schema}.summaries m LEFT JOIN ${schema}.entries e ON e.session = m.session AND e.seq = m.seq
      WHERE m.session = v_head.session AND m.seq > p_summaries_after AND m.seq <= v_until ORDER BY m.seq;
  END IF;
END
$unforget$;

CREATE FUNCTION ${schema}.read_snapshots_2(p_key bytea) RETURNS ${rows} LANGUAGE plpgsql STABLE
AS $unforget$
#variable_conflict use_column
DECLARE
  v_head ${schema}.sessions;
  v_path text;
BEGIN
  SELECT * INTO v_head FROM ${schema}.sessions s WHERE s.key = p_key;${lost}
${present(`${schema}.now_2()`)}${state}${about}
  RETURN QUERY SELECT 'snapshot'::text, s.number, NULL::bigint, NULL::integer, NULL::text, ${snapshot}, s.id
    FROM ${schema}.snapshots s WHERE s.session = v_head.session ORDER BY s.number;
  RETURN QUERY SELECT 'epoch'::text, e.number, e.at, NULL::integer, e.cause, ${epoch}, NULL::bytea
    FROM ${schema}.epochs e WHERE e.session = v_head.session ORDER BY e.number;
END
$unforget$;

CREATE FUNCTION ${schema}.measure_2(p_key bytea, p_ranges bigint[], OUT entries bigint, OUT bytes bigint) LANGUAGE plpgsql STABLE
AS $unforget$
#variable_conflict use_column
BEGIN
  IF p_key IS NULL THEN
    SELECT count(*), coalesce(sum(${size}), 0) INTO entries, bytes
      FROM ${schema}.entries e WHERE e.session IN
        (SELECT g.session FROM ${schema}.erased g UNION SELECT s.session FROM ${schema}.sessions s WHERE s.expires_at <= ${schema}.now_2()
          UNION SELECT c.session FROM ${schema}.staged c WHERE c.written_at <= ${schema}.now_2() - ${stagedFor});
  ELSE
    SELECT count(*), coalesce(sum(${size}), 0) INTO entries, bytes
      FROM ${schema}.sessions s, generate_series(1, cardinality(p_ranges), 2) i, ${schema}.entries e
      WHERE s.key = p_key AND (s.expires_at IS NULL OR s.expires_at > ${schema}.now_2())
        AND e.session = s.session AND e.seq BETWEEN p_ranges[i] AND p_ranges[i + 1];
  END IF;
END
$unforget$;

CREATE FUNCTION ${schema}.find_damage_2(p_after bigint, p_limit integer)
RETURNS TABLE (session bigint, seqs bigint[]) LANGUAGE plpgsql STABLE
AS $unforget$
#variable_conflict use_column
DECLARE
  v_session bigint := p_after;
BEGIN
  FOR i IN 1 .. p_limit LOOP
    SELECT min(e.session) INTO v_session FROM ${schema}.entries e WHERE e.session > v_session;
    EXIT WHEN v_session IS NULL;
    session := v_session;
    seqs := NULL;
    IF NOT EXISTS (SELECT FROM ${schema}.erased g WHERE g.session = v_session)
      AND NOT EXISTS (SELECT FROM ${schema}.staged c WHERE c.session = v_session)
      AND NOT EXISTS (SELECT FROM ${schema}.names n WHERE n.session = v_session)
      AND NOT EXISTS (SELECT FROM ${schema}.sessions s WHERE s.session = v_session) THEN
      seqs := ARRAY(SELECT e.seq FROM ${schema}.entries e WHERE e.session = v_session ORDER BY e.seq);
    END IF;
    RETURN NEXT;
  END LOOP;
END
$unforget$;
`
}
