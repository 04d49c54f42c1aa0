import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { createBackup } from '#server/core/backup/backup.ts'
import { writeFileAtomically } from '#server/core/backup/writeFile.ts'
import { createInterruptSignal, runWithConfig, usageError } from '#server/core/cli/command.ts'
import { printLine, showProgress } from '#server/core/cli/terminal.ts'

const USAGE = `npm run backup -- FILE [--force]
  FILE       where the backup goes: database, uploads, and secret.key where there is one. Not the radio's library.
             With - it goes to standard output: npm run --silent backup -- - | ssh ...
  --force    overwrites FILE`

runWithConfig(USAGE, async (config, args) => {
  const force = args.includes('--force')
  const [file, ...others] = args.filter((arg) => arg !== '--force')
  if (!file || others.length > 0 || (file.startsWith('-') && file !== '-')) throw usageError()
  const signal = createInterruptSignal()
  const progress = showProgress()
  if (file === '-' && process.stdout.isTTY) throw new Error('A backup is nothing to look at: send it into a pipe')
  const write = (out: Writable) => createBackup(config, { out, signal, progress })
  const done = file === '-' ? await write(process.stdout) : await writeFileAtomically(file, { force }, write)
  const where = file === '-' ? '' : ` in ${resolve(file)}, ${((await stat(file)).size / 1e6).toFixed(1)} MB`
  printLine(`Backed up ${counted(done.rows, 'row')} and ${counted(done.files, 'file')}${where}`)
  if (done.gone > 0)
    printLine(`${counted(done.gone, 'file')} went while being copied: what they belonged to was deleted`)
  if (!config.databaseUrl)
    printLine(`Reading the rows took ${(done.readMs / 1000).toFixed(1)} s: a running site waited as long`)
  printLine(
    done.hasSecret
      ? 'It holds the secret of the site: keep it as safe as the site itself'
      : 'Keep SECRET_KEY as well: without it no paste of it can be opened',
  )
})

const counted = (count: number, one: string) => `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`
