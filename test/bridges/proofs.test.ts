import { describeStore } from '../conformance/built-describe-store.ts'
import { bridgeModule } from './bridge-store.ts'
import { storeFiles } from './store-files.ts'

for (const file of storeFiles) describeStore(bridgeModule(file, 'sqlite:'), { levels: ['core'], deadline: 60_000 })
