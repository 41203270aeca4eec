export { type ProcessOptions, startProcess } from './start-process.ts'
