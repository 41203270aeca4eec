/** What differs between two databases. Plain data: it can be sent, stored and drawn. */
export interface DatabaseDiff {
  /** Settings of the file: `user_version`, `application_id`, `encoding`, `auto_vacuum`. */
  readonly settings: readonly SettingChange[]
  readonly schema: readonly SchemaChange[]
  readonly tables: readonly TableDiff[]
  /** Foreign keys that point nowhere, after but not before. */
  readonly brokenForeignKeys: readonly string[]
}

export interface SettingChange {
  readonly name: string
  readonly before: string
  readonly after: string
}

export interface SchemaChange {
  readonly type: string
  readonly name: string
  /** The SQL text; null if it does not exist. */
  readonly before: string | null
  readonly after: string | null
}

export interface TableDiff {
  readonly table: string
  /** The columns that pair rows. Empty: rows are compared as a bag. */
  readonly key: readonly string[]
  /** Those of both sides first, then those that only one side has. */
  readonly columns: readonly string[]
  /** How many rows; `rows` holds the first of them. */
  readonly changed: number
  readonly removed: number
  readonly added: number
  readonly rows: readonly RowChange[]
}

/** Values are SQL literals as text: `1`, `1.0`, `'a'`, `x'00'`, `NULL`; or a placeholder such as `<uuid 1>`. */
export type RowChange =
  | { readonly kind: 'changed'; readonly key: readonly Cell[]; readonly cells: readonly ChangedCell[] }
  | { readonly kind: 'removed' | 'added'; readonly cells: readonly Cell[] }

export interface Cell {
  readonly column: string
  readonly value: string
}

/** A value is null if its side does not have the column. */
export interface ChangedCell {
  readonly column: string
  readonly before: string | null
  readonly after: string | null
}

export const isEmptyDiff = (diff: DatabaseDiff): boolean =>
  diff.settings.length + diff.schema.length + diff.tables.length + diff.brokenForeignKeys.length === 0
