import { conversationTests } from './conversation-tests.ts'
import { startChatServer } from './start-chat-server.ts'

conversationTests(startChatServer)
