import { ArchiveError } from '#server/core/backup/format.ts'
import { restore, restoreFromStream } from '#server/core/backup/restore.ts'
import { createInterruptSignal, runWithConfig, usageError } from '#server/core/cli/command.ts'
import { printLine, showProgress } from '#server/core/cli/terminal.ts'

const USAGE = `npm run restore -- FILE [--replace] [--other-secret]
  Puts a backup into an empty site of either database, while it does not run.
  FILE              with - the backup comes from standard input, and is kept in DATA_DIR while it is being restored
  --replace         restores over a site that is in use: all that is in it now is lost
  --other-secret    goes on although SECRET_KEY is another one: pastes cannot be opened any more`

const FLAGS = ['--replace', '--other-secret']

runWithConfig(USAGE, async (config, args) => {
  const [file, ...others] = args.filter((arg) => !FLAGS.includes(arg))
  if (!file || others.length > 0 || (file.startsWith('-') && file !== '-')) throw usageError()
  if (file === '-' && process.stdin.isTTY) throw new Error('Send a backup into this: npm run restore -- - < FILE')
  const options = {
    replace: args.includes('--replace'),
    otherSecret: args.includes('--other-secret'),
    signal: createInterruptSignal(),
    progress: showProgress(),
    print: printLine,
  }
  const restoring = file === '-' ? restoreFromStream(process.stdin, config, options) : restore(file, config, options)
  const { manifest, end } = await restoring.catch((error) => {
    const name = file === '-' ? 'Standard input' : file
    throw error instanceof ArchiveError ? new Error(`${name} cannot be restored. ${error.message}`) : error
  })
  const counts = `${end.rows.toLocaleString('en')} rows and ${end.files.toLocaleString('en')} files`
  printLine(`Restored ${counts}: the site as it was on ${manifest.madeAt}. Everybody has to log in again.`)
})
