import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import { createBackup } from '#server/core/backup/backup.ts'
import { writeFileAtomically } from '#server/core/backup/writeFile.ts'
import { formatCount, printLine, showProgress } from '#server/core/cli/terminal.ts'
import { createInterruptSignal, runWithConfig, UsageError } from './command.ts'

const USAGE = `npm run backup -- FILE [--force]
  Backs up the database, the uploads and secret.key, if there is one, but not the radio's library.
  FILE       the file to write; - writes to standard output: npm run --silent backup -- - | ssh ...
  --force    overwrites FILE`

runWithConfig(USAGE, async (config, args) => {
  const { values, positionals } = parseArgs({ args, options: { force: { type: 'boolean' } }, allowPositionals: true })
  const { force = false } = values
  const [file, ...others] = positionals
  if (!file || others.length > 0) throw new UsageError()
  const signal = createInterruptSignal()
  const progress = showProgress()
  if (file === '-' && process.stdout.isTTY)
    throw new Error('Cannot write a backup to a terminal: pipe it into a file or a program')
  const writeTo = (out: Writable) => createBackup(config, { out, signal, progress })
  const done = file === '-' ? await writeTo(process.stdout) : await writeFileAtomically(file, { force }, writeTo)
  const where = file === '-' ? '' : ` in ${resolve(file)}, ${((await stat(file)).size / 1e6).toFixed(1)} MB`
  printLine(`Backed up ${formatCount(done.rows, 'row')} and ${formatCount(done.files, 'file')}${where}`)
  if (done.gone > 0) printLine(`Left out ${formatCount(done.gone, 'file')} that the site deleted during the backup`)
  if (!config.databaseUrl) printLine(`A running site was blocked for ${(done.readMs / 1000).toFixed(1)} s`)
  printLine(
    done.hasSecret
      ? 'The backup contains the secret of the site: store it as safely as the site'
      : 'Store SECRET_KEY too: without it, restored pastes cannot be opened',
  )
})
