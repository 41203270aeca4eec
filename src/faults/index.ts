export type { FaultKind, FaultPlan, FaultyMethod, FiredFault, PlannedFault, RandomFaults } from './fault-plan.ts'
export { type FaultyBackend, faulty } from './faulty.ts'
export { makeRandom } from './plan-faults.ts'
export { type FaultProxy, type FaultProxyOptions, faultProxy } from './proxy/fault-proxy.ts'
export { type PostgresErrorReply, postgresErrorReplies } from './proxy/protocols/postgres-errors.ts'
export { type RedisErrorReply, redisErrorReplies } from './proxy/protocols/resp.ts'
export type {
  ClientCommand,
  Failure,
  ServerMessage,
  WireCommand,
  WireConversation,
  WireProtocol,
} from './proxy/protocols/wire-protocol.ts'
export type {
  ArmedFaults,
  CountedCommands,
  FiredWireFault,
  PlannedWireFault,
  RandomWireFaults,
  SeenCommand,
  WireErrorReply,
  WireFaultKind,
  WireFaultPlan,
} from './proxy/wire-fault-plan.ts'
export { type ProcessOptions, startProcess } from './start-process.ts'
