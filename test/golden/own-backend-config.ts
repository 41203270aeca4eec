import type { SnapshotDbConfig } from '../../src/golden/snapshot-db-config.ts'

/** What the store answered, kept for a retry: versions, ids and times in JSON. */
function withoutNonces(value: unknown): string {
  return String(value)
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/"\w{12}\.(\d+)\.\w{12}"/g, '"<birth>.$1.<nonce>"')
    .replaceAll(/\b1\d{12}\b/g, '<time>')
}

/** Of an entry and its row, the time among it. */
function withoutChecksum(value: unknown): string {
  return String(value).replace(/,"[0-9a-f]{8}"\]$/, ',"<checksum>"]')
}

/** A test of our own backend starts with no file: the first process makes it. */
export const ownBackend: SnapshotDbConfig = {
  volatile: {
    'sessions.birth': 'random',
    'sessions.nonce': 'random',
    'sessions.epoch_nonce': 'random',
    'sessions.taken_back_nonce': 'random',
    'sessions.created_at': 'time',
    'sessions.updated_at': 'time',
    'sessions.snapshot_sum': 'random',
    'sessions.operation_sum': 'random',
    'sessions.checksum': 'random',
    'epochs.at': 'time',
    'epochs.checksum': 'random',
    'entries.at': 'time',
    'entries.body': withoutChecksum,
    'snapshots.id': 'uuid',
    'snapshots.at': 'time',
    'snapshots.checksum': 'random',
    'operations.id': 'uuid',
    'operations.committed': withoutNonces,
    'operations.checksum': 'random',
    'erased_operations.id': 'uuid',
    'erased_operations.committed': withoutNonces,
    'erased_operations.until': 'time',
    'odd_marks.mark': 'random',
    'even_marks.mark': 'random',
    'erased_operations.checksum': 'random',
    'erased_sessions.operation_sum': 'random',
    'erased_sessions.until': 'time',
    'erased_sessions.checksum': 'random',
  },
}
