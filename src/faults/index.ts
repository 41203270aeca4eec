export type { FaultKind, FaultPlan, FaultyMethod, FiredFault, PlannedFault, RandomFaults } from './fault-plan.ts'
export { type FaultyBackend, faulty } from './faulty.ts'
export { makeRandom } from './plan-faults.ts'
export { type ProcessOptions, startProcess } from './start-process.ts'
