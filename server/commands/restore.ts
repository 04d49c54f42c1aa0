import type { Readable } from 'node:stream'
import { parseArgs } from 'node:util'
import { systemErrorText } from '#db/errors.server.ts'
import { createBackupBucket, readBackup } from '#server/core/backup/backupBucket.ts'
import { ArchiveError } from '#server/core/backup/format.ts'
import { restore, restoreFromStream } from '#server/core/backup/restore.ts'
import { printLine, showProgress } from '#server/core/cli/terminal.ts'
import type { Config } from '#server/core/config/config.ts'
import { openBucket } from '#server/core/storage/openStores.ts'
import { createInterruptSignal, runWithConfig, UsageError } from './command.ts'

const USAGE = `npm run restore -- FILE [--replace] [--other-secret]
  Restores a backup into an empty site that is not running, on either database.
  FILE              the backup; - reads it from standard input and stores it in DATA_DIR during the restore;
                    s3:NAME reads a scheduled backup of the bucket, and s3: lists them
  --replace         overwrites a site that has data; all current data is lost
  --other-secret    restores a backup made with another SECRET_KEY; its pastes can no longer be opened`

const FLAGS = { replace: { type: 'boolean' }, 'other-secret': { type: 'boolean' } } as const
const IN_BUCKET = 's3:'

runWithConfig(USAGE, async (config, args) => {
  const { values, positionals } = parseArgs({ args, options: FLAGS, allowPositionals: true })
  const [file, ...others] = positionals
  if (!file || others.length > 0) throw new UsageError()
  if (file === '-' && process.stdin.isTTY)
    throw new Error('Cannot read a backup from a terminal. Use: npm run restore -- - < FILE')
  const options = {
    replace: values.replace ?? false,
    otherSecret: values['other-secret'] ?? false,
    signal: createInterruptSignal(),
    progress: showProgress(),
    print: printLine,
  }
  const input = file === '-' ? process.stdin : file.startsWith(IN_BUCKET) ? await openStored(config, file) : null
  const restoring = input ? restoreFromStream(input, config, options) : restore(file, config, options)
  const { manifest, end } = await restoring.catch((error) => {
    const source = file === '-' ? 'standard input' : file
    if (error instanceof ArchiveError) throw new Error(`Cannot restore ${source}: ${error.message}`)
    if (error.path !== file && error.code !== 'EISDIR') throw error
    throw new Error(`Cannot read ${source}: ${systemErrorText(error)}. Check the path of the backup`)
  })
  const counts = `${end.rows.toLocaleString('en')} rows and ${end.files.toLocaleString('en')} files`
  printLine(`Restored ${counts} from the backup of ${manifest.madeAt}. All users have to log in again.`)
})

/** @throws Error that lists the backups, if it is none of them */
async function openStored(config: Config, file: string): Promise<Readable> {
  const bucket = openBucket(config.bucket)
  const name = file.slice(IN_BUCKET.length)
  const stored = await createBackupBucket(bucket).list()
  if (stored.some((one) => one.name === name)) return readBackup(bucket, name)
  const names = stored.map((one) => `\n  ${IN_BUCKET}${one.name}`).join('')
  throw new Error(names ? `Choose one of the backups in the bucket:${names}` : 'The bucket has no backups')
}
