import type { MemoryStore } from '../../core/memory-store.ts'

export interface RouteContext {
  readonly memory: MemoryStore
  readonly write: boolean
  readonly name: string | undefined
}

export interface Route {
  readonly method: 'GET' | 'POST'
  readonly answer: (context: RouteContext, request: Request, query: URLSearchParams) => Promise<Response>
}
