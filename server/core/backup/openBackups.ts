import type { Config } from '#server/core/config/config.ts'
import { openBucket } from '#server/core/storage/openStores.ts'
import { createBackupBucket } from './backupBucket.ts'
import { createBackupFolder } from './backupFolder.ts'
import type { BackupDestination } from './destination.ts'

/** Opens the place of the scheduled backups. */
export const openBackups = ({ backups, bucket }: Pick<Config, 'backups' | 'bucket'>): BackupDestination =>
  backups.store === 's3' ? createBackupBucket(openBucket(bucket)) : createBackupFolder(backups.folder)
