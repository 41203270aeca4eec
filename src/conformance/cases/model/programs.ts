import type { WrittenCase } from '../written-case.ts'
import { checkPrograms } from './helpers/check-programs.ts'
import { conversations, conversationsWithSnapshots, reopenedConversations } from './helpers/conversation-programs.ts'
import { everything } from './helpers/full-programs.ts'
import { turnsAndOperations } from './helpers/turn-programs.ts'

const model = { level: 'model', clause: 'model.1' } as const

export const programs: WrittenCase[] = [
  {
    ...model,
    id: 'model.1/conversations',
    title: 'programs that add, trim and clear on two handles agree with plain arrays',
    run: (context) => checkPrograms(conversations, context),
  },
  {
    ...model,
    id: 'model.1/snapshots',
    title: 'programs with snapshots and rollbacks agree with plain arrays',
    run: (context) => checkPrograms(conversationsWithSnapshots, context),
  },
  {
    ...model,
    needs: ['persistent'],
    id: 'model.1/reopened',
    title: 'programs that close and reopen every handle agree with plain arrays',
    run: (context) => checkPrograms(reopenedConversations, context),
  },
  {
    ...model,
    needs: ['versions', 'windows', 'edits', 'owners'],
    id: 'model.1/everything',
    title: 'programs that do everything a memory can do agree with plain arrays',
    run: (context) => checkPrograms(everything, context),
  },
  {
    ...model,
    needs: ['versions', 'operations', 'turns', 'signals', 'codes'],
    id: 'model.1/turns-and-operations',
    title: 'programs with turns, named operations and signals agree with plain arrays, whatever is cut and swept',
    run: (context) => checkPrograms(turnsAndOperations, context),
  },
]
