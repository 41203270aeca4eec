export type { CompareOptions } from './compare/compare-databases.ts'
export type {
  Cell,
  ChangedCell,
  DatabaseDiff,
  RowChange,
  SchemaChange,
  SettingChange,
  TableDiff,
} from './compare/diff.ts'
export { isEmptyDiff } from './compare/diff.ts'
export { diffDatabases, diffGoldens } from './compare/diff-goldens.ts'
export { GoldenMismatchError, type Mismatch } from './compare/golden-mismatch-error.ts'
export { type Proposal, type Suggestion, showProposal } from './compare/propose-volatile.ts'
export { InvalidText, type SqlValue } from './compare/rows/values.ts'
export type { VolatileColumns, VolatileKind, Volatility } from './compare/volatile/shapes.ts'
export { GoldenError, type GoldenErrorCode } from './errors.ts'
export {
  acceptPending,
  findGoldens,
  findOrphans,
  findPending,
  type Orphanhood,
  orphanhoodOf,
  type PendingGolden,
  rejectPending,
  removeGolden,
} from './files/golden-files.ts'
export { isReportStale, type ReportSubject, readSubject, writeReport } from './files/report.ts'
export type { SeedInput } from './files/seed-inputs.ts'
export { type FileRun, type FinishedFile, finishFile, type UsedRecord } from './finish-file.ts'
export { freeze, stopFreezer } from './freezing/freezer.ts'
export { thaw } from './freezing/thaw.ts'
export { memoryVolatile } from './memory-volatile.ts'
export { resolveMode, type UpdateMode } from './mode.ts'
export { reach } from './process/kill-point.ts'
export type { ProcessOptions } from './process/process-options.ts'
export { type RenderOptions, renderDiff } from './render/render-diff.ts'
export {
  type Counts,
  type Finished,
  openSnapshotDb,
  SnapshotDb,
} from './snapshot-db.ts'
export type { SnapshotDbConfig, SnapshotDbOptions } from './snapshot-db-config.ts'
export type { Seed } from './start-golden.ts'
