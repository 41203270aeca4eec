import { describeStore } from '../conformance/built-describe-store.ts'
import { bridgeModule, storeFiles } from './prove-bridge.ts'

for (const file of Object.values(storeFiles))
  describeStore(bridgeModule(file, 'sqlite:'), { levels: ['core'], deadline: 60_000 })
