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
export { InvalidText, type SqlValue } from './compare/values.ts'
export { diffDatabases, diffGoldens } from './diff-goldens.ts'
export { GoldenError, type GoldenErrorCode, GoldenMismatchError, type Mismatch } from './errors.ts'
export { type FileRun, type FinishedFile, finishFile, type UsedRecord } from './finish-file.ts'
export { freeze, stopFreezer } from './freezer.ts'
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
} from './golden-files.ts'
export { resolveMode, type UpdateMode } from './mode.ts'
export { reach } from './process/kill-point.ts'
export type { ProcessOptions } from './process/run-process.ts'
export { type RenderOptions, renderDiff } from './render/render-diff.ts'
export { isReportStale, type ReportSubject, readSubject, writeReport } from './report.ts'
export type { SeedInput } from './seed-inputs.ts'
export {
  type Counts,
  type Finished,
  openSnapshotDb,
  SnapshotDb,
  type SnapshotDbConfig,
  type SnapshotDbOptions,
} from './snapshot-db.ts'
export type { Seed } from './start-golden.ts'
export { thaw } from './thaw.ts'
export { type Proposal, showProposal } from './volatile/propose-volatile.ts'
export type { VolatileColumns, VolatileKind, Volatility } from './volatile/shapes.ts'
