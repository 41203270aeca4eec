import { rememberedFor, shortDigest } from '../../../core/operation.ts'
import { entryFormats } from '../../../core/seal-entry.ts'
import { aboutColumns, headColumns } from './head-columns.ts'
import {
  behindSql,
  ifTurnSql,
  lockSql,
  pathTokenSql,
  publicEpochSql,
  slideSql,
  versionSql,
} from './shared-functions.ts'

/** Operations of the last seconds are never pruned. The more are left after pruning, the later it runs next, because it looks at each. */
const pruneAfter = { least: 64, most: 4096 }

/**
 * `apply_change` is `advance` on the server, so that a change is one round trip and holds its lock no longer than that. The lock comes
 * first: in READ COMMITTED, each later statement sees what the previous holder has committed.
 */
export function applyChangeFunctionSql(schema: string): string {
  const slide = slideSql('v_head')
  return `
CREATE FUNCTION ${schema}.apply_change_2(
  p_wait integer, p_key bytea, p_id bytea, p_operation bytea, p_digest text, p_answer text, p_nonce text,
  p_ttl double precision DEFAULT NULL,
  p_bodies text[] DEFAULT '{}', p_kinds text[] DEFAULT NULL, p_formats integer[] DEFAULT NULL, p_bytes bytea[] DEFAULT NULL,
  p_if_turn text DEFAULT NULL, p_if_version text DEFAULT NULL, p_if_epoch text DEFAULT NULL, p_if_path text DEFAULT NULL,
  p_if_snapshot bytea DEFAULT NULL, p_if_snapshot_number bigint DEFAULT NULL,
  p_path text[] DEFAULT NULL, p_cause text DEFAULT NULL, p_takes_back boolean DEFAULT NULL,
  p_base bigint DEFAULT NULL, p_base_entries bigint DEFAULT NULL, p_own text[] DEFAULT NULL,
  p_put_key bytea DEFAULT NULL, p_put_id bytea DEFAULT NULL, p_put_label text DEFAULT NULL, p_put_automatic boolean DEFAULT NULL,
  p_drop_keys bytea[] DEFAULT NULL,
  p_expire text DEFAULT NULL, p_expire_value double precision DEFAULT NULL,
  p_about text[] DEFAULT NULL, p_described text[] DEFAULT NULL,
  p_head text[] DEFAULT NULL, p_seqs bigint[] DEFAULT NULL, p_times bigint[] DEFAULT NULL,
  p_epoch_numbers bigint[] DEFAULT NULL, p_epoch_paths text[] DEFAULT NULL,
  p_epoch_causes text[] DEFAULT NULL, p_epoch_times bigint[] DEFAULT NULL,
  p_snapshot_keys bytea[] DEFAULT NULL, p_snapshot_ids bytea[] DEFAULT NULL, p_snapshot_labels text[] DEFAULT NULL,
  p_snapshot_automatic boolean[] DEFAULT NULL, p_snapshot_numbers bigint[] DEFAULT NULL,
  p_copy bytea DEFAULT NULL, p_staged bigint DEFAULT NULL
) RETURNS text LANGUAGE plpgsql VOLATILE
AS $unforget$
#variable_conflict use_column
DECLARE
  v_head ${schema}.sessions;
  v_known boolean;
  v_alive boolean := false;
  v_now bigint;
  v_done record;
  v_token text;
  v_number bigint;
  v_first bigint;
  v_new bigint := cardinality(p_bodies);
  v_count bigint := coalesce(p_staged, v_new);
  v_staged ${schema}.staged;
  v_before bigint;
  v_epoch bigint;
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RETURN '["ISOLATION"]';
  END IF;${lockSql(schema)}
  v_now := ${schema}.now_2();
  SELECT * INTO v_head FROM ${schema}.sessions s WHERE s.key = p_key;
  v_known := FOUND;
  IF v_known THEN
    v_alive := v_head.expires_at IS NULL OR v_head.expires_at > v_now;
    IF v_alive AND ${behindSql(schema, 'v_head')} THEN
      RETURN '["LOST"]';
    END IF;
    SELECT o.* INTO v_done FROM ${schema}.operations o WHERE o.session = v_head.session AND o.operation = p_operation;
  ELSIF EXISTS (SELECT FROM ${schema}.names n WHERE n.key = p_key) THEN
    RETURN '["LOST"]';
  END IF;
  IF NOT FOUND THEN
    SELECT o.* INTO v_done FROM ${schema}.erased_operations o
      WHERE o.key = p_key AND o.operation = p_operation AND o.until > v_now;
  END IF;
  IF FOUND THEN
    IF v_done.digest <> p_digest AND (length(v_done.digest) <> ${shortDigest} OR left(p_digest, ${shortDigest}) <> v_done.digest) THEN
      RETURN '["OPERATION"]';
    END IF;
    RETURN ${schema}.committed_2(v_done.version, v_done.epoch, v_done.first, v_done.count, v_done.at, v_done.answer);
  END IF;
${ifTurnSql(schema)}
  IF p_if_version IS NOT NULL THEN
    v_token := CASE WHEN v_alive THEN ${versionSql('v_head')} ELSE '' END;
    IF v_token <> p_if_version THEN
      RETURN json_build_array('VERSION', v_token);
    END IF;
  END IF;
  IF p_if_epoch IS NOT NULL THEN
    v_token := CASE WHEN v_alive THEN ${publicEpochSql('v_head')} ELSE '' END;
    IF v_token <> p_if_epoch AND (p_if_epoch <> '' OR v_head.taken_back <> 1) THEN
      RETURN json_build_array('EPOCH', v_token);
    END IF;
  END IF;
  IF p_if_path IS NOT NULL THEN
    v_token := CASE WHEN v_alive THEN ${pathTokenSql('v_head')} ELSE '' END;
    IF v_token <> p_if_path THEN
      RETURN json_build_array('PATH', v_token);
    END IF;
  END IF;
  IF p_if_snapshot IS NOT NULL THEN
    SELECT s.number INTO v_number FROM ${schema}.snapshots s
      WHERE v_alive AND s.session = v_head.session AND s.key = p_if_snapshot;
    IF v_number IS NULL OR v_number <> coalesce(p_if_snapshot_number, v_number) THEN
      RETURN '["NO_SNAPSHOT"]';
    END IF;
  END IF;
  IF p_put_key IS NOT NULL AND v_alive
    AND EXISTS (SELECT FROM ${schema}.snapshots s WHERE s.session = v_head.session AND s.key = p_put_key) THEN
    RETURN '["SNAPSHOT_EXISTS"]';
  END IF;
  IF p_copy IS NOT NULL THEN
    SELECT * INTO v_staged FROM ${schema}.staged s WHERE s.copy = p_copy FOR UPDATE;
    IF coalesce(v_staged.entries, 0) <> p_staged THEN
      RETURN json_build_array('COPY', coalesce(v_staged.entries, 0));
    END IF;
    DELETE FROM ${schema}.staged s WHERE s.copy = p_copy;
  END IF;

  IF v_alive AND p_described IS NOT NULL THEN
    UPDATE ${schema}.names n SET
      ${aboutColumns.map((column, index) => `${column} = CASE WHEN '${column}' = ANY (p_described) THEN p_about[${index + 1}] ELSE n.${column} END`).join(',\n      ')}
      WHERE n.key = p_key AND n.session = v_head.session;
    IF NOT FOUND THEN
      RETURN '["LOST"]';
    END IF;
  END IF;
  IF NOT v_alive THEN
    IF v_known THEN
      PERFORM ${schema}.unlink_session_2(p_key, v_head.session);
    END IF;
    v_head := NULL;
    v_head.key := p_key;
    v_head.session := coalesce(v_staged.session, nextval('${schema}.session_numbers'));
    v_head.id := p_id;
    v_head.birth := p_nonce;
    v_head.counter := 0;
    v_head.epoch := 1;
    v_head.epoch_nonce := p_nonce;
    v_head.taken_back := 1;
    v_head.taken_back_nonce := p_nonce;
    v_head.last := 0;
    v_head.created_at := v_now;
    v_head.own_ttl := false;
    v_head.prune_at := ${pruneAfter.least};
    v_head.known_until := (SELECT max(o.until) FROM ${schema}.erased_operations o WHERE o.key = p_key);
    INSERT INTO ${schema}.names VALUES (p_key, v_head.session, p_id, ${aboutColumns.map((_, index) => `p_about[${index + 1}]`).join(', ')});
  END IF;

  IF p_head IS NOT NULL THEN
    ${headColumns.map((column, index) => `v_head.${column} := p_head[${index + 1}];`).join('\n    ')}
    v_head.prune_at := v_head.counter + ${pruneAfter.least};
    v_first := 1;
    INSERT INTO ${schema}.epochs SELECT v_head.session, t.number, t.path, t.cause, t.at
      FROM unnest(p_epoch_numbers, p_epoch_paths, p_epoch_causes, p_epoch_times) t(number, path, cause, at);
    INSERT INTO ${schema}.snapshots
      SELECT v_head.session, t.key, t.id, t.label, t.automatic, n.numbers[1], n.numbers[2], n.numbers[3], n.numbers[4]
      FROM unnest(p_snapshot_keys, p_snapshot_ids, p_snapshot_labels, p_snapshot_automatic)
        WITH ORDINALITY t(key, id, label, automatic, place),
        LATERAL (SELECT p_snapshot_numbers[t.place * 4 - 3 : t.place * 4] AS numbers) n;
    INSERT INTO ${schema}.entries
      SELECT v_head.session, t.seq, t.at, coalesce(t.format, ${entryFormats.plain}), coalesce(t.kind, 'message'), t.body, t.bytes
      FROM unnest(p_seqs, p_times, p_formats, p_kinds, p_bodies, p_bytes) t(seq, at, format, kind, body, bytes);
    IF p_kinds IS NOT NULL THEN
      INSERT INTO ${schema}.summaries
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
      v_head.expires_at := ${slide.expiresAt};
      v_head.ttl := ${slide.ttl};
    END IF;
    IF p_path IS NOT NULL THEN
      v_head.epoch := v_epoch + 1;
      v_head.epoch_nonce := p_nonce;
      IF p_takes_back THEN
        v_head.taken_back := v_head.epoch;
        v_head.taken_back_nonce := p_nonce;
      END IF;
      INSERT INTO ${schema}.epochs VALUES (v_head.session, v_head.epoch, ${schema}.fill_path_2(p_path, v_before, v_count), p_cause, v_now,
        p_base, p_base_entries, CASE WHEN p_base IS NOT NULL THEN ${schema}.fill_path_2(p_own, v_before, v_count) END);
      UPDATE ${schema}.epochs e SET path = NULL WHERE e.session = v_head.session AND e.number = v_epoch AND e.base IS NOT NULL;
    ELSIF NOT v_alive THEN
      INSERT INTO ${schema}.epochs VALUES (v_head.session, 1, '[1,null]', 'begin', v_now);
    END IF;
    IF v_new = 1 AND p_kinds IS NULL THEN
      INSERT INTO ${schema}.entries VALUES (v_head.session, v_first, v_now, ${entryFormats.plain}, 'message', p_bodies[1], NULL);
    ELSIF v_new > 0 THEN
      INSERT INTO ${schema}.entries
        SELECT v_head.session, v_before + t.place, v_now, coalesce(t.format, ${entryFormats.plain}), coalesce(t.kind, 'message'), t.body, t.bytes
        FROM unnest(p_formats, p_kinds, p_bodies, p_bytes) WITH ORDINALITY t(format, kind, body, bytes, place);
      IF p_kinds IS NOT NULL THEN
        INSERT INTO ${schema}.summaries
          SELECT v_head.session, v_before + t.place FROM unnest(p_kinds) WITH ORDINALITY t(kind, place)
          WHERE t.kind IN ('summary', 'compaction');
      END IF;
    END IF;
    IF p_drop_keys IS NOT NULL THEN
      DELETE FROM ${schema}.snapshots s WHERE s.session = v_head.session AND s.key = ANY (p_drop_keys);
    END IF;
    IF p_put_key IS NOT NULL THEN
      INSERT INTO ${schema}.snapshots VALUES
        (v_head.session, p_put_key, p_put_id, p_put_label, p_put_automatic, v_epoch, v_before, v_now, v_head.counter);
    END IF;
  END IF;

  IF v_head.counter >= v_head.prune_at THEN
    v_number := ${schema}.forget_operations_2(v_head.session, v_head.counter, v_now - ${rememberedFor});
    v_head.prune_at := v_head.counter + greatest(${pruneAfter.least}, least(${pruneAfter.most}, v_number / 4));
  END IF;
  IF v_alive THEN
    UPDATE ${schema}.sessions s SET counter = v_head.counter, nonce = v_head.nonce, epoch = v_head.epoch,
      epoch_nonce = v_head.epoch_nonce, taken_back = v_head.taken_back, taken_back_nonce = v_head.taken_back_nonce, last = v_head.last, updated_at = v_head.updated_at, ttl = v_head.ttl,
      own_ttl = v_head.own_ttl, expires_at = v_head.expires_at, prune_at = v_head.prune_at
      WHERE s.key = p_key;
  ELSE
    INSERT INTO ${schema}.sessions VALUES (v_head.*);
  END IF;
  INSERT INTO ${schema}.operations VALUES
    (v_head.session, p_operation, v_head.counter, p_digest, ${versionSql('v_head')},
      ${publicEpochSql('v_head')}, v_first, v_count, v_now, p_answer)
    RETURNING * INTO v_done;
  RETURN ${schema}.committed_2(v_done.version, v_done.epoch, v_done.first, v_done.count, v_done.at, v_done.answer);
END
$unforget$;
`
}
