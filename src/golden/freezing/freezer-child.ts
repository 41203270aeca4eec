import { messageOf } from '../../plain/message-of.ts'
import { GoldenError } from '../errors.ts'
import { freezeFile } from './freeze-file.ts'
import type { FreezeAnswer, FreezeRequest } from './freezer.ts'

process.on('disconnect', () => process.exit())
process.on('message', (request: FreezeRequest) => process.send?.(answer(request), () => {}))

function answer({ id, source, target }: FreezeRequest): FreezeAnswer {
  try {
    freezeFile(source, target)
    return { id, error: null }
  } catch (error) {
    return { id, error: { code: error instanceof GoldenError ? error.code : 'CANNOT_READ', message: messageOf(error) } }
  }
}
