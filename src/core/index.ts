export type * from './backend.ts'
export type {
  ChatMessage,
  ContentPart,
  Entry,
  EntryInput,
  EntryKind,
  HistoryItem,
  MemoryRecord,
  MessageEntry,
  MessageInput,
  RecordEntry,
  Summary,
  SummaryEntry,
  SummaryInput,
  SummaryMessage,
  SummaryRole,
  ToolCall,
  ToolCallEntry,
  ToolCallRecord,
} from './entries.ts'
export * from './errors.ts'
export { MemoryStore, type StoreOptions } from './memory-store.ts'
export type { ClosedRange, Path, PathPlan, Range } from './path.ts'
export { SessionMemory } from './session-memory.ts'
export type { SessionHead, SessionState } from './session-state.ts'
export type { CallTrace } from './trace-call.ts'
export type { TrimBudget } from './trim-budget.ts'
export type * from './types.ts'
