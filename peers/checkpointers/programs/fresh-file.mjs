import { openSaver } from './savers.mjs'

const saver = await openSaver(process.argv[2])
const error = await saver.deleteThread('1').catch((reason) => reason)
console.log(error instanceof Error ? `deleteThread is rejected: ${error.message}` : 'deleteThread succeeds')
process.exit()
