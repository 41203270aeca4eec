import { firstTableNames } from './tables.ts'

/** The condition that finds the sessions of an owner. An owner may be too long for an index. */
export function ownedSql(owner: string): string {
  return `${ownerHash} = hashtextextended(${owner}, 0) AND n.owner = ${owner}`
}

const ownerHash = 'hashtextextended(n.owner, 0)'

const added = ['staged', 'turns']

export const tableNames: readonly string[] = [...firstTableNames, ...added]

/**
 * What version 2 adds to the tables of version 1.
 *
 * - `staged` lists the copies that are not published, each with its token, the number of its entries and when the last was written.
 * - `turns` has the lease of each turn that is held, by the SHA-256 of the session's id.
 * - The public epoch changes less often than the path does. In version 1 they were the same.
 * - An epoch that is not the present one may have no path: then it is the first `kept` entries of the epoch `base`, and then `own`.
 * - Owner, title and metadata are texts as JSON, in which any character is carried.
 *
 * Roles that were granted anything on the table `erased` are granted the same on the new tables.
 */
export function addedTablesSql(schema: string): string {
  return `
CREATE TABLE ${schema}.staged (
  copy bytea NOT NULL PRIMARY KEY,
  session bigint NOT NULL,
  entries bigint NOT NULL,
  written_at bigint NOT NULL
);
CREATE TABLE ${schema}.turns (
  key bytea NOT NULL PRIMARY KEY,
  token text NOT NULL,
  until double precision NOT NULL
);
ALTER TABLE ${schema}.sessions ADD COLUMN taken_back bigint, ADD COLUMN taken_back_nonce text;
UPDATE ${schema}.sessions SET taken_back = epoch, taken_back_nonce = epoch_nonce;
ALTER TABLE ${schema}.sessions ALTER COLUMN taken_back SET NOT NULL, ALTER COLUMN taken_back_nonce SET NOT NULL;
ALTER TABLE ${schema}.epochs ALTER COLUMN path DROP NOT NULL, ADD COLUMN cause text, ADD COLUMN at bigint,
  ADD COLUMN base bigint, ADD COLUMN kept bigint, ADD COLUMN own text;
ALTER TABLE ${schema}.names ADD COLUMN owner text, ADD COLUMN title text, ADD COLUMN metadata text;
CREATE INDEX names_by_owner ON ${schema}.names (${ownerHash.replace('n.', '')}) WHERE owner IS NOT NULL;
DO $unforget$
DECLARE
  v_table text;
  v_grant record;
BEGIN
  FOREACH v_table IN ARRAY ARRAY[${added.map((name) => `'${schema}.${name}'`).join(', ')}] LOOP
    FOR v_grant IN SELECT a.privilege_type, CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END AS grantee
      FROM pg_class c, aclexplode(c.relacl) a WHERE c.oid = '${schema}.erased'::regclass AND a.grantee <> c.relowner LOOP
      EXECUTE format('GRANT %s ON %s TO %s', v_grant.privilege_type, v_table, v_grant.grantee);
    END LOOP;
  END LOOP;
END
$unforget$;
`
}
