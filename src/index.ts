export * from './core/index.ts'
export { type OpenOptions, openMemory } from './open-memory.ts'
