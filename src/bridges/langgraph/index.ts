export { type Migrated, type MigrateOptions, type MigrationProgress, migrateThreads } from './migrate-threads.ts'
export type { Pruned, PruneOptions } from './prune.ts'
export { type OpenSaverOptions, type SaverOptions, type ThreadMemory, UnforgetSaver } from './unforget-saver.ts'
