import { makeTemporaryFolder } from '../../../src/golden/system/temporary-folder.ts'

const folders = [makeTemporaryFolder('golden'), makeTemporaryFolder('page'), makeTemporaryFolder('page')]
process.send?.(folders, () => process.kill(process.pid, 'SIGKILL'))
