import { compactionTests } from './compaction-tests.ts'
import { startChatServer } from './start-chat-server.ts'

compactionTests(startChatServer)
