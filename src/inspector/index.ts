export { type InspectorOptions, inspector } from './inspector.ts'
