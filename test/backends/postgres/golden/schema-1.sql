BEGIN;
SELECT pg_advisory_xact_lock(8732571639805552676);
CREATE SCHEMA IF NOT EXISTS "golden_schema";
CREATE TABLE "golden_schema".unforget_version (version integer NOT NULL);
INSERT INTO "golden_schema".unforget_version VALUES (0);
CREATE SEQUENCE "golden_schema".session_numbers;
CREATE TABLE "golden_schema".sessions (
  key bytea NOT NULL PRIMARY KEY,
  session bigint NOT NULL,
  id bytea NOT NULL,
  birth text NOT NULL,
  counter bigint NOT NULL,
  nonce text NOT NULL,
  epoch bigint NOT NULL,
  epoch_nonce text NOT NULL,
  last bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  ttl double precision,
  own_ttl boolean NOT NULL,
  expires_at double precision,
  known_until bigint,
  prune_at bigint NOT NULL
) WITH (fillfactor = 50);
CREATE TABLE "golden_schema".names (
  key bytea NOT NULL PRIMARY KEY,
  session bigint NOT NULL,
  id bytea NOT NULL
);
CREATE TABLE "golden_schema".epochs (
  session bigint NOT NULL,
  number bigint NOT NULL,
  path text NOT NULL,
  PRIMARY KEY (session, number)
);
CREATE TABLE "golden_schema".entries (
  session bigint NOT NULL,
  seq bigint NOT NULL,
  at bigint NOT NULL,
  format integer NOT NULL,
  kind text NOT NULL,
  body text NOT NULL,
  bytes bytea,
  PRIMARY KEY (session, seq)
);
CREATE TABLE "golden_schema".summaries (
  session bigint NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (session, seq)
);
CREATE TABLE "golden_schema".snapshots (
  session bigint NOT NULL,
  key bytea NOT NULL,
  id bytea NOT NULL,
  label text,
  automatic boolean NOT NULL,
  epoch bigint NOT NULL,
  last bigint NOT NULL,
  at bigint NOT NULL,
  number bigint NOT NULL,
  PRIMARY KEY (session, key)
);
CREATE TABLE "golden_schema".operations (
  session bigint NOT NULL,
  operation bytea NOT NULL,
  number bigint NOT NULL,
  digest text NOT NULL,
  version text NOT NULL,
  epoch text NOT NULL,
  first bigint NOT NULL,
  count bigint NOT NULL,
  at bigint NOT NULL,
  answer text,
  PRIMARY KEY (session, operation)
);
CREATE TABLE "golden_schema".erased_operations (
  key bytea NOT NULL,
  operation bytea NOT NULL,
  digest text NOT NULL,
  version text NOT NULL,
  epoch text NOT NULL,
  first bigint NOT NULL,
  count bigint NOT NULL,
  at bigint NOT NULL,
  answer text,
  until bigint NOT NULL,
  PRIMARY KEY (key, operation)
);
CREATE TABLE "golden_schema".erased (
  session bigint NOT NULL PRIMARY KEY
);
CREATE INDEX sessions_by_expiry ON "golden_schema".sessions (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX names_by_session ON "golden_schema".names (session);
CREATE INDEX automatic_snapshots ON "golden_schema".snapshots (session, number) WHERE automatic;
CREATE INDEX erased_operations_by_end ON "golden_schema".erased_operations (until);

CREATE FUNCTION "golden_schema".now_1() RETURNS double precision LANGUAGE sql VOLATILE
AS $unforget$ SELECT floor(date_part('epoch', clock_timestamp()) * 1000) $unforget$;

CREATE FUNCTION "golden_schema".lock_of_1(p_key bytea) RETURNS bigint LANGUAGE sql IMMUTABLE
AS $unforget$ SELECT hashtextextended(encode(p_key, 'hex'), '8732571639805552676') $unforget$;

CREATE FUNCTION "golden_schema".forget_operations_1(p_session bigint, p_number bigint, p_before bigint) RETURNS bigint LANGUAGE plpgsql VOLATILE
SET enable_bitmapscan = off SET enable_seqscan = off
AS $unforget$
BEGIN
  DELETE FROM "golden_schema".operations o WHERE o.session = p_session AND o.number <= p_number AND o.at < p_before;
  RETURN (SELECT count(*) FROM "golden_schema".operations o WHERE o.session = p_session);
END
$unforget$;

CREATE FUNCTION "golden_schema".unlink_session_1(p_key bytea, p_session bigint) RETURNS void LANGUAGE plpgsql VOLATILE
AS $unforget$
BEGIN
  INSERT INTO "golden_schema".erased_operations AS old
    SELECT p_key, o.operation, left(o.digest, 8), o.version, o.epoch, o.first, o.count, o.at, o.answer,
      "golden_schema".now_1() + 86400000
    FROM "golden_schema".operations o WHERE o.session = p_session
    ON CONFLICT (key, operation) DO UPDATE SET (digest, version, epoch, first, count, at, answer, until) =
      (excluded.digest, excluded.version, excluded.epoch, excluded.first, excluded.count, excluded.at, excluded.answer, excluded.until);
  DELETE FROM "golden_schema".operations o WHERE o.session = p_session;
  DELETE FROM "golden_schema".snapshots s WHERE s.session = p_session;
  DELETE FROM "golden_schema".epochs e WHERE e.session = p_session;
  DELETE FROM "golden_schema".names n WHERE n.key = p_key;
  DELETE FROM "golden_schema".sessions s WHERE s.key = p_key;
  INSERT INTO "golden_schema".erased VALUES (p_session) ON CONFLICT DO NOTHING;
END
$unforget$;

CREATE FUNCTION "golden_schema".fill_path_1(p_plan text[], p_last bigint, p_count bigint) RETURNS text LANGUAGE plpgsql IMMUTABLE
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

CREATE FUNCTION "golden_schema".committed_1(p_version text, p_epoch text, p_first bigint, p_count bigint, p_at bigint, p_answer text)
RETURNS text LANGUAGE sql IMMUTABLE
AS $unforget$ SELECT json_build_array('OK', p_version, p_epoch, p_first, p_count, p_at, p_answer)::text $unforget$;


CREATE FUNCTION "golden_schema".apply_change_1(
  p_wait integer, p_key bytea, p_id bytea, p_operation bytea, p_digest text, p_answer text, p_nonce text,
  p_ttl double precision DEFAULT NULL,
  p_bodies text[] DEFAULT '{}', p_kinds text[] DEFAULT NULL, p_formats integer[] DEFAULT NULL, p_bytes bytea[] DEFAULT NULL,
  p_if_version text DEFAULT NULL, p_if_epoch text DEFAULT NULL,
  p_if_snapshot bytea DEFAULT NULL, p_if_snapshot_number bigint DEFAULT NULL,
  p_path text[] DEFAULT NULL,
  p_put_key bytea DEFAULT NULL, p_put_id bytea DEFAULT NULL, p_put_label text DEFAULT NULL, p_put_automatic boolean DEFAULT NULL,
  p_drop_keys bytea[] DEFAULT NULL,
  p_expire text DEFAULT NULL, p_expire_value double precision DEFAULT NULL,
  p_head text[] DEFAULT NULL, p_seqs bigint[] DEFAULT NULL, p_times bigint[] DEFAULT NULL,
  p_epoch_numbers bigint[] DEFAULT NULL, p_epoch_paths text[] DEFAULT NULL,
  p_snapshot_keys bytea[] DEFAULT NULL, p_snapshot_ids bytea[] DEFAULT NULL, p_snapshot_labels text[] DEFAULT NULL,
  p_snapshot_automatic boolean[] DEFAULT NULL, p_snapshot_numbers bigint[] DEFAULT NULL
) RETURNS text LANGUAGE plpgsql VOLATILE
AS $unforget$
#variable_conflict use_column
DECLARE
  v_head "golden_schema".sessions;
  v_known boolean;
  v_alive boolean := false;
  v_now bigint;
  v_done record;
  v_token text;
  v_number bigint;
  v_first bigint;
  v_count bigint := cardinality(p_bodies);
  v_before bigint;
  v_epoch bigint;
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RETURN '["ISOLATION"]';
  END IF;
  IF p_wait IS NULL AND NOT pg_try_advisory_xact_lock("golden_schema".lock_of_1(p_key)) THEN
    RETURN '["BUSY"]';
  ELSIF p_wait IS NOT NULL THEN
    PERFORM set_config('lock_timeout', p_wait::text, true);
    PERFORM pg_advisory_xact_lock("golden_schema".lock_of_1(p_key));
  END IF;
  v_now := "golden_schema".now_1();
  SELECT * INTO v_head FROM "golden_schema".sessions s WHERE s.key = p_key;
  v_known := FOUND;
  IF v_known THEN
    v_alive := v_head.expires_at IS NULL OR v_head.expires_at > v_now;
    SELECT o.* INTO v_done FROM "golden_schema".operations o WHERE o.session = v_head.session AND o.operation = p_operation;
  ELSIF EXISTS (SELECT FROM "golden_schema".names n WHERE n.key = p_key) THEN
    RETURN '["LOST"]';
  END IF;
  IF NOT FOUND THEN
    SELECT o.* INTO v_done FROM "golden_schema".erased_operations o
      WHERE o.key = p_key AND o.operation = p_operation AND o.until > v_now;
  END IF;
  IF FOUND THEN
    IF v_done.digest <> p_digest AND (length(v_done.digest) <> 8 OR left(p_digest, 8) <> v_done.digest) THEN
      RETURN '["OPERATION"]';
    END IF;
    RETURN "golden_schema".committed_1(v_done.version, v_done.epoch, v_done.first, v_done.count, v_done.at, v_done.answer);
  END IF;

  IF p_if_version IS NOT NULL THEN
    v_token := CASE WHEN v_alive THEN v_head.birth || '.' || v_head.counter || '.' || v_head.nonce ELSE '' END;
    IF v_token <> p_if_version THEN
      RETURN json_build_array('VERSION', v_token);
    END IF;
  END IF;
  IF p_if_epoch IS NOT NULL THEN
    v_token := CASE WHEN v_alive THEN v_head.birth || '.' || v_head.epoch || '.' || v_head.epoch_nonce ELSE '' END;
    IF v_token <> p_if_epoch AND (p_if_epoch <> '' OR v_head.epoch <> 1) THEN
      RETURN json_build_array('EPOCH', v_token);
    END IF;
  END IF;
  IF p_if_snapshot IS NOT NULL THEN
    SELECT s.number INTO v_number FROM "golden_schema".snapshots s
      WHERE v_alive AND s.session = v_head.session AND s.key = p_if_snapshot;
    IF v_number IS NULL OR v_number <> coalesce(p_if_snapshot_number, v_number) THEN
      RETURN '["NO_SNAPSHOT"]';
    END IF;
  END IF;
  IF p_put_key IS NOT NULL AND v_alive
    AND EXISTS (SELECT FROM "golden_schema".snapshots s WHERE s.session = v_head.session AND s.key = p_put_key) THEN
    RETURN '["SNAPSHOT_EXISTS"]';
  END IF;

  IF NOT v_alive THEN
    IF v_known THEN
      PERFORM "golden_schema".unlink_session_1(p_key, v_head.session);
    END IF;
    v_head := NULL;
    v_head.key := p_key;
    v_head.session := nextval('"golden_schema".session_numbers');
    v_head.id := p_id;
    v_head.birth := p_nonce;
    v_head.counter := 0;
    v_head.epoch := 1;
    v_head.epoch_nonce := p_nonce;
    v_head.last := 0;
    v_head.created_at := v_now;
    v_head.own_ttl := false;
    v_head.prune_at := 64;
    v_head.known_until := (SELECT max(o.until) FROM "golden_schema".erased_operations o WHERE o.key = p_key);
    INSERT INTO "golden_schema".names VALUES (p_key, v_head.session, p_id);
  END IF;

  IF p_head IS NOT NULL THEN
    v_head.birth := p_head[1];
    v_head.counter := p_head[2];
    v_head.nonce := p_head[3];
    v_head.epoch := p_head[4];
    v_head.epoch_nonce := p_head[5];
    v_head.last := p_head[6];
    v_head.created_at := p_head[7];
    v_head.updated_at := p_head[8];
    v_head.ttl := p_head[9];
    v_head.own_ttl := p_head[10];
    v_head.expires_at := p_head[11];
    v_head.prune_at := v_head.counter + 64;
    v_first := 1;
    INSERT INTO "golden_schema".epochs SELECT v_head.session, t.number, t.path FROM unnest(p_epoch_numbers, p_epoch_paths) t(number, path);
    INSERT INTO "golden_schema".snapshots
      SELECT v_head.session, t.key, t.id, t.label, t.automatic, n.numbers[1], n.numbers[2], n.numbers[3], n.numbers[4]
      FROM unnest(p_snapshot_keys, p_snapshot_ids, p_snapshot_labels, p_snapshot_automatic)
        WITH ORDINALITY t(key, id, label, automatic, place),
        LATERAL (SELECT p_snapshot_numbers[t.place * 4 - 3 : t.place * 4] AS numbers) n;
    INSERT INTO "golden_schema".entries
      SELECT v_head.session, t.seq, t.at, coalesce(t.format, 1), coalesce(t.kind, 'message'), t.body, t.bytes
      FROM unnest(p_seqs, p_times, p_formats, p_kinds, p_bodies, p_bytes) t(seq, at, format, kind, body, bytes);
    IF p_kinds IS NOT NULL THEN
      INSERT INTO "golden_schema".summaries
        SELECT v_head.session, t.seq FROM unnest(p_seqs, p_kinds) t(seq, kind) WHERE t.kind IN ('summary', 'compaction');
    END IF;
  ELSE
    v_before := v_head.last;
    v_epoch := v_head.epoch;
    v_first := v_before + 1;
    v_head.counter := v_head.counter + 1;
    v_head.nonce := p_nonce;
    v_head.last := v_before + v_count;
    v_head.updated_at := v_now;
    IF p_expire IS NOT NULL THEN
      v_head.own_ttl := true;
      v_head.ttl := CASE p_expire WHEN 'ttl' THEN p_expire_value END;
      v_head.expires_at := CASE p_expire WHEN 'ttl' THEN ceil(v_now + p_expire_value) WHEN 'at' THEN ceil(p_expire_value) END;
    ELSE
      IF NOT v_head.own_ttl THEN
        v_head.ttl := coalesce(p_ttl, v_head.ttl);
      END IF;
      v_head.expires_at := coalesce(ceil(v_now + v_head.ttl), v_head.expires_at);
    END IF;
    IF p_path IS NOT NULL THEN
      v_head.epoch := v_epoch + 1;
      v_head.epoch_nonce := p_nonce;
      INSERT INTO "golden_schema".epochs VALUES (v_head.session, v_head.epoch, "golden_schema".fill_path_1(p_path, v_before, v_count));
    ELSIF NOT v_alive THEN
      INSERT INTO "golden_schema".epochs VALUES (v_head.session, 1, '[1,null]');
    END IF;
    IF v_count = 1 AND p_kinds IS NULL THEN
      INSERT INTO "golden_schema".entries VALUES (v_head.session, v_first, v_now, 1, 'message', p_bodies[1], NULL);
    ELSIF v_count > 0 THEN
      INSERT INTO "golden_schema".entries
        SELECT v_head.session, v_before + t.place, v_now, coalesce(t.format, 1), coalesce(t.kind, 'message'), t.body, t.bytes
        FROM unnest(p_formats, p_kinds, p_bodies, p_bytes) WITH ORDINALITY t(format, kind, body, bytes, place);
      IF p_kinds IS NOT NULL THEN
        INSERT INTO "golden_schema".summaries
          SELECT v_head.session, v_before + t.place FROM unnest(p_kinds) WITH ORDINALITY t(kind, place)
          WHERE t.kind IN ('summary', 'compaction');
      END IF;
    END IF;
    IF p_drop_keys IS NOT NULL THEN
      DELETE FROM "golden_schema".snapshots s WHERE s.session = v_head.session AND s.key = ANY (p_drop_keys);
    END IF;
    IF p_put_key IS NOT NULL THEN
      INSERT INTO "golden_schema".snapshots VALUES
        (v_head.session, p_put_key, p_put_id, p_put_label, p_put_automatic, v_epoch, v_before, v_now, v_head.counter);
    END IF;
  END IF;

  IF v_head.counter >= v_head.prune_at THEN
    v_number := "golden_schema".forget_operations_1(v_head.session, v_head.counter - 256, v_now - 20000);
    v_head.prune_at := v_head.counter + greatest(64, least(4096, v_number / 4));
  END IF;
  IF v_alive THEN
    UPDATE "golden_schema".sessions s SET counter = v_head.counter, nonce = v_head.nonce, epoch = v_head.epoch,
      epoch_nonce = v_head.epoch_nonce, last = v_head.last, updated_at = v_head.updated_at, ttl = v_head.ttl,
      own_ttl = v_head.own_ttl, expires_at = v_head.expires_at, prune_at = v_head.prune_at
      WHERE s.key = p_key;
  ELSE
    INSERT INTO "golden_schema".sessions VALUES (v_head.*);
  END IF;
  INSERT INTO "golden_schema".operations VALUES
    (v_head.session, p_operation, v_head.counter, p_digest, v_head.birth || '.' || v_head.counter || '.' || v_head.nonce,
      v_head.birth || '.' || v_head.epoch || '.' || v_head.epoch_nonce, v_first, v_count, v_now, p_answer)
    RETURNING * INTO v_done;
  RETURN "golden_schema".committed_1(v_done.version, v_done.epoch, v_done.first, v_done.count, v_done.at, v_done.answer);
END
$unforget$;


CREATE FUNCTION "golden_schema".append_1(
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
    v_version := set_config('lock_timeout', p_wait, true) || pg_advisory_xact_lock("golden_schema".lock_of_1(p_key))::text;
  ELSIF NOT pg_try_advisory_xact_lock("golden_schema".lock_of_1(p_key)) THEN
    RETURN '["BUSY"]';
  END IF;
  v_now := floor(date_part('epoch', clock_timestamp()) * 1000);
  IF p_digest <> '' THEN
    v_known := EXISTS (SELECT FROM "golden_schema".sessions s JOIN "golden_schema".operations o ON o.session = s.session
      WHERE s.key = p_key AND o.operation = p_operation);
  END IF;
  IF NOT v_known THEN
    UPDATE "golden_schema".sessions s SET counter = s.counter + 1, nonce = p_nonce, last = s.last + v_count, updated_at = v_now,
      ttl = CASE WHEN s.own_ttl THEN s.ttl ELSE coalesce(p_ttl, s.ttl) END,
      expires_at = coalesce(ceil(v_now + CASE WHEN s.own_ttl THEN s.ttl ELSE coalesce(p_ttl, s.ttl) END), s.expires_at)
      WHERE s.key = p_key AND s.counter + 1 < s.prune_at AND (s.expires_at IS NULL OR s.expires_at > v_now)
        AND (s.known_until IS NULL OR s.known_until <= v_now)
      RETURNING s.session, s.counter, s.last, s.birth || '.' || s.counter || '.' || s.nonce, s.birth || '.' || s.epoch || '.' || s.epoch_nonce
      INTO v_session, v_counter, v_last, v_version, v_epoch;
  END IF;
  IF v_session IS NULL THEN
    RETURN "golden_schema".apply_change_1(p_wait::integer, p_key, p_id, p_operation, p_digest, NULL, p_nonce, p_ttl,
      coalesce(p_bodies, ARRAY[p_body]));
  END IF;
  IF p_bodies IS NULL THEN
    INSERT INTO "golden_schema".entries VALUES (v_session, v_last, v_now, 1, 'message', p_body, NULL);
  ELSE
    v_last := v_last - v_count + 1;
    INSERT INTO "golden_schema".entries SELECT v_session, v_last + b.place - 1, v_now, 1, 'message', b.body, NULL
      FROM unnest(p_bodies) WITH ORDINALITY b(body, place);
  END IF;
  INSERT INTO "golden_schema".operations VALUES
    (v_session, p_operation, v_counter, p_digest, v_version, v_epoch, v_last, v_count, v_now, NULL);
  RETURN v_version || ' ' || v_epoch || ' ' || v_last || ' ' || v_now;
END
$unforget$;


CREATE FUNCTION "golden_schema".last_ranges_1(p_path text, p_end bigint, p_last bigint) RETURNS bigint[] LANGUAGE plpgsql IMMUTABLE
AS $unforget$
DECLARE
  v_steps bigint[];
  v_ranges bigint[] := '{}';
  v_tail bigint[] := '{}';
  v_missing bigint := p_last;
  v_before bigint := 0;
  v_from bigint;
  v_to bigint;
BEGIN
  IF p_path IS NULL OR p_path !~ '^\[-?[0-9]+,(-?[0-9]+|null)(,-?[0-9]+,(-?[0-9]+|null))*\]$' THEN
    RETURN v_tail;
  END IF;
  v_steps := ('{' || btrim(p_path, '[]') || '}')::bigint[];
  FOR i IN 1 .. cardinality(v_steps) BY 2 LOOP
    v_from := v_before + v_steps[i];
    v_before := v_from + coalesce(v_steps[i + 1], 0);
    v_to := CASE WHEN v_steps[i + 1] IS NULL THEN p_end ELSE v_before END;
    CONTINUE WHEN v_to < v_from;
    v_ranges := v_ranges || v_from || v_to;
  END LOOP;
  FOR i IN REVERSE cardinality(v_ranges) .. 2 BY 2 LOOP
    EXIT WHEN v_missing <= 0;
    v_to := v_ranges[i];
    v_from := greatest(v_ranges[i - 1], v_to - v_missing + 1);
    v_tail := ARRAY[v_from, v_to] || v_tail;
    v_missing := v_missing - (v_to - v_from + 1);
  END LOOP;
  RETURN v_tail;
END
$unforget$;

CREATE FUNCTION "golden_schema".read_session_1(
  p_key bytea, p_operation bytea DEFAULT NULL, p_snapshot bytea DEFAULT NULL, p_ranges bigint[] DEFAULT NULL,
  p_last bigint DEFAULT NULL, p_summaries_after bigint DEFAULT NULL
) RETURNS TABLE (part text, seq bigint, at bigint, format integer, kind text, body text, bytes bytea) LANGUAGE plpgsql STABLE
AS $unforget$
#variable_conflict use_column
DECLARE
  v_now double precision := "golden_schema".now_1();
  v_head "golden_schema".sessions;
  v_path text;
  v_ranges bigint[] := p_ranges;
BEGIN
  SELECT * INTO v_head FROM "golden_schema".sessions s WHERE s.key = p_key;
  IF NOT FOUND THEN
    RETURN QUERY SELECT 'lost'::text, e.seq, NULL::bigint, NULL::integer, NULL::text, NULL::text, NULL::bytea
      FROM "golden_schema".names n LEFT JOIN "golden_schema".entries e ON e.session = n.session WHERE n.key = p_key ORDER BY e.seq;
    IF FOUND THEN
      RETURN;
    END IF;
  END IF;
  IF p_operation IS NOT NULL THEN
    part := 'operation';
    SELECT json_build_array(o.digest, o.version, o.epoch, o.first, o.count, o.at, o.answer)::text INTO body FROM "golden_schema".operations o WHERE o.session = v_head.session AND o.operation = p_operation;
    IF NOT FOUND THEN
      SELECT json_build_array(o.digest, o.version, o.epoch, o.first, o.count, o.at, o.answer)::text INTO body FROM "golden_schema".erased_operations o
        WHERE o.key = p_key AND o.operation = p_operation AND o.until > v_now;
    END IF;
    IF FOUND THEN
      RETURN NEXT;
    END IF;
  END IF;

  IF v_head.key IS NULL THEN
    RETURN;
  END IF;
  IF v_head.expires_at <= v_now THEN
    part := 'expired';
    body := NULL;
    RETURN NEXT;
    RETURN;
  END IF;
  SELECT e.path INTO v_path FROM "golden_schema".epochs e WHERE e.session = v_head.session AND e.number = v_head.epoch;
  part := 'head';
  body := json_build_array(v_head.birth, v_head.counter, v_head.nonce, v_head.epoch, v_head.epoch_nonce, v_head.last,
      v_head.created_at, v_head.updated_at, v_head.ttl, v_head.own_ttl, v_head.expires_at, v_path)::text;
  RETURN NEXT;
  IF p_snapshot IS NOT NULL THEN
    part := 'snapshot';
    SELECT json_build_array(s.label, s.automatic, s.epoch, s.last, s.at, s.number)::text, s.id INTO body, bytes FROM "golden_schema".snapshots s WHERE s.session = v_head.session AND s.key = p_snapshot;
    IF FOUND THEN
      RETURN NEXT;
    END IF;
    RETURN QUERY SELECT 'epoch'::text, e.number, NULL::bigint, NULL::integer, NULL::text, e.path, NULL::bytea
      FROM "golden_schema".snapshots s JOIN "golden_schema".epochs e ON e.session = s.session AND e.number = s.epoch
      WHERE s.session = v_head.session AND s.key = p_snapshot;
    RETURN QUERY SELECT 'automatic'::text, s.number, NULL::bigint, NULL::integer, NULL::text, NULL::text, s.id
      FROM "golden_schema".snapshots s WHERE s.session = v_head.session AND s.automatic ORDER BY s.number;
  END IF;
  IF v_ranges IS NULL AND p_last > 0 THEN
    v_ranges := "golden_schema".last_ranges_1(v_path, v_head.last, p_last);
  END IF;
  FOR i IN 1 .. coalesce(cardinality(v_ranges), 0) BY 2 LOOP
    RETURN QUERY SELECT 'entry'::text, e.seq, e.at, e.format, e.kind, e.body, e.bytes FROM "golden_schema".entries e
      WHERE e.session = v_head.session AND e.seq BETWEEN v_ranges[i] AND v_ranges[i + 1] ORDER BY e.seq;
  END LOOP;
  IF p_summaries_after IS NOT NULL THEN
    RETURN QUERY SELECT 'summary'::text, m.seq, e.at, e.format, e.kind, e.body, e.bytes
      FROM "golden_schema".summaries m LEFT JOIN "golden_schema".entries e ON e.session = m.session AND e.seq = m.seq
      WHERE m.session = v_head.session AND m.seq > p_summaries_after ORDER BY m.seq;
  END IF;
END
$unforget$;

CREATE FUNCTION "golden_schema".read_snapshots_1(p_key bytea) RETURNS TABLE (part text, seq bigint, at bigint, format integer, kind text, body text, bytes bytea) LANGUAGE plpgsql STABLE
AS $unforget$
#variable_conflict use_column
DECLARE
  v_head "golden_schema".sessions;
  v_path text;
BEGIN
  SELECT * INTO v_head FROM "golden_schema".sessions s WHERE s.key = p_key;
  IF NOT FOUND THEN
    RETURN QUERY SELECT 'lost'::text, e.seq, NULL::bigint, NULL::integer, NULL::text, NULL::text, NULL::bytea
      FROM "golden_schema".names n LEFT JOIN "golden_schema".entries e ON e.session = n.session WHERE n.key = p_key ORDER BY e.seq;
    IF FOUND THEN
      RETURN;
    END IF;
  END IF;

  IF v_head.key IS NULL THEN
    RETURN;
  END IF;
  IF v_head.expires_at <= "golden_schema".now_1() THEN
    part := 'expired';
    body := NULL;
    RETURN NEXT;
    RETURN;
  END IF;
  SELECT e.path INTO v_path FROM "golden_schema".epochs e WHERE e.session = v_head.session AND e.number = v_head.epoch;
  part := 'head';
  body := json_build_array(v_head.birth, v_head.counter, v_head.nonce, v_head.epoch, v_head.epoch_nonce, v_head.last,
      v_head.created_at, v_head.updated_at, v_head.ttl, v_head.own_ttl, v_head.expires_at, v_path)::text;
  RETURN NEXT;
  RETURN QUERY SELECT 'snapshot'::text, s.number, NULL::bigint, NULL::integer, NULL::text, json_build_array(s.label, s.automatic, s.epoch, s.last, s.at, s.number)::text, s.id
    FROM "golden_schema".snapshots s WHERE s.session = v_head.session ORDER BY s.number;
  RETURN QUERY SELECT 'epoch'::text, e.number, NULL::bigint, NULL::integer, NULL::text, e.path, NULL::bytea
    FROM "golden_schema".epochs e WHERE e.session = v_head.session ORDER BY e.number;
END
$unforget$;

CREATE FUNCTION "golden_schema".list_sessions_1(p_after bytea, p_limit integer)
RETURNS TABLE (key bytea, id bytea, body text) LANGUAGE plpgsql STABLE
AS $unforget$
#variable_conflict use_column
DECLARE
  v_keys bytea[];
BEGIN
  v_keys := ARRAY(SELECT s.key FROM "golden_schema".sessions s
    WHERE s.key > p_after AND (s.expires_at IS NULL OR s.expires_at > "golden_schema".now_1()) ORDER BY s.key LIMIT p_limit);
  RETURN QUERY SELECT s.key, s.id, json_build_array(s.birth, s.counter, s.nonce, s.epoch, s.epoch_nonce, s.last,
      s.created_at, s.updated_at, s.ttl, s.own_ttl, s.expires_at, e.path)::text
    FROM "golden_schema".sessions s LEFT JOIN "golden_schema".epochs e ON e.session = s.session AND e.number = s.epoch
    WHERE s.key = ANY (v_keys) ORDER BY s.key;
  RETURN QUERY SELECT n.key, n.id, NULL::text FROM "golden_schema".names n
    WHERE n.key > p_after AND (cardinality(v_keys) < p_limit OR n.key < v_keys[cardinality(v_keys)])
    AND NOT EXISTS (SELECT FROM "golden_schema".sessions s WHERE s.key = n.key) ORDER BY n.key;
END
$unforget$;

CREATE FUNCTION "golden_schema".measure_1(p_key bytea, p_ranges bigint[], OUT entries bigint, OUT bytes bigint) LANGUAGE plpgsql STABLE
AS $unforget$
#variable_conflict use_column
BEGIN
  IF p_key IS NULL THEN
    SELECT count(*), coalesce(sum(octet_length(e.body) + coalesce(octet_length(e.bytes), 0)), 0) INTO entries, bytes
      FROM "golden_schema".entries e WHERE e.session IN
        (SELECT g.session FROM "golden_schema".erased g UNION SELECT s.session FROM "golden_schema".sessions s WHERE s.expires_at <= "golden_schema".now_1());
  ELSE
    SELECT count(*), coalesce(sum(octet_length(e.body) + coalesce(octet_length(e.bytes), 0)), 0) INTO entries, bytes
      FROM "golden_schema".sessions s, generate_series(1, cardinality(p_ranges), 2) i, "golden_schema".entries e
      WHERE s.key = p_key AND (s.expires_at IS NULL OR s.expires_at > "golden_schema".now_1())
        AND e.session = s.session AND e.seq BETWEEN p_ranges[i] AND p_ranges[i + 1];
  END IF;
END
$unforget$;

CREATE FUNCTION "golden_schema".find_damage_1(p_after bigint, p_limit integer)
RETURNS TABLE (session bigint, seqs bigint[], id bytea) LANGUAGE plpgsql STABLE
AS $unforget$
#variable_conflict use_column
DECLARE
  v_session bigint := p_after;
BEGIN
  IF p_after = 0 THEN
    RETURN QUERY SELECT NULL::bigint, '{}'::bigint[], s.id FROM "golden_schema".sessions s
      WHERE NOT EXISTS (SELECT FROM "golden_schema".names n WHERE n.key = s.key AND n.session = s.session);
  END IF;
  FOR i IN 1 .. p_limit LOOP
    SELECT min(e.session) INTO v_session FROM "golden_schema".entries e WHERE e.session > v_session;
    EXIT WHEN v_session IS NULL;
    session := v_session;
    id := NULL;
    seqs := NULL;
    IF NOT EXISTS (SELECT FROM "golden_schema".erased g WHERE g.session = v_session)
      AND NOT EXISTS (SELECT FROM "golden_schema".names n WHERE n.session = v_session)
      AND NOT EXISTS (SELECT FROM "golden_schema".sessions s WHERE s.session = v_session) THEN
      seqs := ARRAY(SELECT e.seq FROM "golden_schema".entries e WHERE e.session = v_session ORDER BY e.seq);
    END IF;
    RETURN NEXT;
  END LOOP;
END
$unforget$;


CREATE FUNCTION "golden_schema".delete_entries_1(
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
    FROM (SELECT * FROM "golden_schema".entries e WHERE e.session = p_session AND e.seq BETWEEN p_from AND p_to ORDER BY e.seq LIMIT p_limit) e
  ) f WHERE f.before <= 4000000;
  IF v_count < p_limit AND NOT EXISTS (
    SELECT FROM "golden_schema".entries e WHERE e.session = p_session AND e.seq > v_end AND e.seq <= p_to
  ) THEN
    v_end := p_to;
  END IF;
  DELETE FROM "golden_schema".summaries m WHERE m.session = p_session AND m.seq BETWEEN p_from AND v_end;
  DELETE FROM "golden_schema".entries e WHERE e.session = p_session AND e.seq BETWEEN p_from AND v_end;
  GET DIAGNOSTICS entries = ROW_COUNT;
  done := v_end = p_to;
END
$unforget$;

CREATE FUNCTION "golden_schema".drop_entries_1(
  p_wait integer, p_key bytea, p_if_epoch text, p_ranges bigint[], p_epochs bigint[], p_limit bigint
) RETURNS text LANGUAGE plpgsql VOLATILE
AS $unforget$
#variable_conflict use_column
DECLARE
  v_head "golden_schema".sessions;
  v_slice record;
  v_entries bigint := 0;
  v_done boolean := true;
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RETURN '["ISOLATION"]';
  END IF;
  IF p_wait IS NULL AND NOT pg_try_advisory_xact_lock("golden_schema".lock_of_1(p_key)) THEN
    RETURN '["BUSY"]';
  ELSIF p_wait IS NOT NULL THEN
    PERFORM set_config('lock_timeout', p_wait::text, true);
    PERFORM pg_advisory_xact_lock("golden_schema".lock_of_1(p_key));
  END IF;
  SELECT * INTO v_head FROM "golden_schema".sessions s WHERE s.key = p_key;
  IF NOT FOUND AND EXISTS (SELECT FROM "golden_schema".names n WHERE n.key = p_key) THEN
    RETURN '["LOST"]';
  END IF;
  IF v_head.key IS NULL OR v_head.expires_at <= "golden_schema".now_1()
    OR v_head.birth || '.' || v_head.epoch || '.' || v_head.epoch_nonce <> p_if_epoch THEN
    RETURN '["EPOCH"]';
  END IF;
  DELETE FROM "golden_schema".epochs e WHERE e.session = v_head.session AND e.number = ANY (p_epochs);
  FOR i IN 1 .. cardinality(p_ranges) BY 2 LOOP
    v_done := v_entries < p_limit;
    EXIT WHEN NOT v_done;
    SELECT * INTO v_slice FROM "golden_schema".delete_entries_1(v_head.session, p_ranges[i], p_ranges[i + 1], p_limit - v_entries);
    v_entries := v_entries + v_slice.entries;
    v_done := v_slice.done;
    EXIT WHEN NOT v_done;
  END LOOP;
  RETURN json_build_array('OK', v_entries, v_done);
END
$unforget$;

CREATE FUNCTION "golden_schema".erase_session_1(p_wait integer, p_key bytea, p_operation bytea) RETURNS text
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
  END IF;
  IF p_wait IS NULL AND NOT pg_try_advisory_xact_lock("golden_schema".lock_of_1(p_key)) THEN
    RETURN '["BUSY"]';
  ELSIF p_wait IS NOT NULL THEN
    PERFORM set_config('lock_timeout', p_wait::text, true);
    PERFORM pg_advisory_xact_lock("golden_schema".lock_of_1(p_key));
  END IF;
  IF EXISTS (SELECT FROM "golden_schema".erased_operations o WHERE o.key = p_key AND o.operation = p_operation) THEN
    RETURN '["OK", true]';
  END IF;
  SELECT s.session, s.expires_at INTO v_session, v_expires_at FROM "golden_schema".sessions s WHERE s.key = p_key;
  IF NOT FOUND THEN
    SELECT n.session INTO v_session FROM "golden_schema".names n WHERE n.key = p_key;
  END IF;
  v_now := "golden_schema".now_1();
  v_existed := v_session IS NOT NULL AND (v_expires_at IS NULL OR v_expires_at > v_now);
  IF v_session IS NOT NULL THEN
    PERFORM "golden_schema".unlink_session_1(p_key, v_session);
  END IF;
  IF v_existed THEN
    INSERT INTO "golden_schema".erased_operations
      VALUES (p_key, p_operation, 'erased', '', '', 1, 0, v_now, NULL, v_now + 86400000);
  END IF;
  RETURN json_build_array('OK', v_existed);
END
$unforget$;

CREATE FUNCTION "golden_schema".reclaim_1(p_wait integer, p_expired boolean) RETURNS text
LANGUAGE plpgsql VOLATILE
AS $unforget$
#variable_conflict use_column
DECLARE
  v_now double precision := "golden_schema".now_1();
  v_session bigint;
  v_slice record;
  v_key bytea;
  v_done boolean;
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RETURN '["ISOLATION"]';
  END IF;
  PERFORM set_config('lock_timeout', p_wait::text, true);
  DELETE FROM "golden_schema".erased_operations o WHERE o.ctid = ANY (ARRAY(
    SELECT o.ctid FROM "golden_schema".erased_operations o WHERE o.until <= v_now LIMIT 1000 FOR UPDATE SKIP LOCKED));
  IF FOUND THEN
    RETURN json_build_array('OK', 0, false);
  END IF;
  SELECT g.session INTO v_session FROM "golden_schema".erased g ORDER BY g.session LIMIT 1 FOR UPDATE;
  IF FOUND THEN
    SELECT * INTO v_slice FROM "golden_schema".delete_entries_1(v_session, 1, 9223372036854775807, 1000);
    IF v_slice.done THEN
      DELETE FROM "golden_schema".erased g WHERE g.session = v_session;
    END IF;
    RETURN json_build_array('OK', v_slice.entries, false);
  END IF;
  v_done := NOT EXISTS (SELECT FROM "golden_schema".erased);
  IF NOT (p_expired AND v_done) THEN
    RETURN json_build_array('OK', 0, v_done);
  END IF;
  FOR v_key IN SELECT s.key FROM "golden_schema".sessions s WHERE s.expires_at <= v_now LIMIT 20 LOOP
    v_done := false;
    IF pg_try_advisory_xact_lock("golden_schema".lock_of_1(v_key)) THEN
      SELECT s.session INTO v_session FROM "golden_schema".sessions s WHERE s.key = v_key AND s.expires_at <= v_now;
      IF FOUND THEN
        PERFORM "golden_schema".unlink_session_1(v_key, v_session);
      END IF;
    END IF;
  END LOOP;
  RETURN json_build_array('OK', 0, v_done);
END
$unforget$;

UPDATE "golden_schema".unforget_version SET version = 1;
COMMIT;
