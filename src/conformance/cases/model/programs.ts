import type { Case } from '../../case.ts'
import { checkPrograms } from './helpers/check-programs.ts'
import { conversations, conversationsWithSnapshots, reopenedConversations } from './helpers/conversation-programs.ts'
import { everything } from './helpers/full-programs.ts'

const model = { level: 'model', clause: 'model.1' } as const
const core = ['addMessages', 'getHistory', 'trim', 'clear'] as const
const all = [
  ...core,
  'recordToolCall',
  'addSummary',
  'getEntries',
  'compact',
  'saveSnapshot',
  'listSnapshots',
  'rollbackToSnapshot',
  'deleteSnapshot',
  'rewind',
  'fork',
  'recall',
  'deleteSession',
  'verify',
  'sweep',
  'versions',
  'windows',
] as const

export const programs: Case[] = [
  {
    ...model,
    needs: core,
    id: 'model.1/conversations',
    title: 'programs of adding, trimming and clearing on two handles agree with plain arrays',
    run: (context) => checkPrograms(conversations, context),
  },
  {
    ...model,
    needs: [...core, 'saveSnapshot', 'rollbackToSnapshot'],
    id: 'model.1/snapshots',
    title: 'programs with snapshots and rollbacks agree with plain arrays',
    run: (context) => checkPrograms(conversationsWithSnapshots, context),
  },
  {
    ...model,
    needs: [...core, 'persistent'],
    id: 'model.1/reopened',
    title: 'programs in which every handle is closed and opened again agree with plain arrays',
    run: (context) => checkPrograms(reopenedConversations, context),
  },
  {
    ...model,
    needs: all,
    id: 'model.1/everything',
    title: 'programs of everything a memory can do agree with plain arrays',
    run: (context) => checkPrograms(everything, context),
  },
]
