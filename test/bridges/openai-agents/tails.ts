import type { AgentInputItem } from '@openai/agents-core'

const said = (content: string): AgentInputItem => ({ role: 'user', content })

/** What a session begins with, and the ends that it has one after the other. */
export const head: AgentInputItem[] = [said('head 1'), said('head 2')]
export const tail = (version: number): AgentInputItem[] =>
  Array.from({ length: 1 + (version % 4) }, (_, index) => said(`tail ${version}, item ${index}`))
