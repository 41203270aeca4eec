import { killedWorkerTests } from './killed-worker-tests.ts'
import { startChatServer } from './start-chat-server.ts'

killedWorkerTests(startChatServer)
