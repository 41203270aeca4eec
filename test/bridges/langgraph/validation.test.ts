import { openMemory } from '../../../src/index.ts'
import { validateOn } from './validation-kit.ts'

validateOn('memory', () => openMemory('memory:'))
