import { ArchiveError } from '#server/core/backup/format.ts'
import { restore, restoreFromStream } from '#server/core/backup/restore.ts'
import { createInterruptSignal, runWithConfig, UsageError } from '#server/core/cli/command.ts'
import { printLine, showProgress } from '#server/core/cli/terminal.ts'

const USAGE = `npm run restore -- FILE [--replace] [--other-secret]
  Restores a backup into an empty site that is not running, on either database.
  FILE              the backup; - reads it from standard input and stores it in DATA_DIR during the restore
  --replace         overwrites a site that has data; all current data is lost
  --other-secret    restores a backup made with another SECRET_KEY; its pastes can no longer be opened`

const FLAGS = ['--replace', '--other-secret']

runWithConfig(USAGE, async (config, args) => {
  const [file, ...others] = args.filter((arg) => !FLAGS.includes(arg))
  if (!file || others.length > 0 || (file.startsWith('-') && file !== '-')) throw new UsageError()
  if (file === '-' && process.stdin.isTTY)
    throw new Error('Cannot read a backup from a terminal. Use: npm run restore -- - < FILE')
  const options = {
    replace: args.includes('--replace'),
    otherSecret: args.includes('--other-secret'),
    signal: createInterruptSignal(),
    progress: showProgress(),
    print: printLine,
  }
  const restoring = file === '-' ? restoreFromStream(process.stdin, config, options) : restore(file, config, options)
  const { manifest, end } = await restoring.catch((error) => {
    const source = file === '-' ? 'standard input' : file
    throw error instanceof ArchiveError ? new Error(`Cannot restore ${source}: ${error.message}`) : error
  })
  const counts = `${end.rows.toLocaleString('en')} rows and ${end.files.toLocaleString('en')} files`
  printLine(`Restored ${counts} from the backup of ${manifest.madeAt}. All users have to log in again.`)
})
