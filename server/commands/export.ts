import { resolve } from 'node:path'
import { formatCount, printLine, showProgress } from '#server/core/cli/terminal.ts'
import { exportSite } from '#server/export/exportSite.ts'
import { createInterruptSignal, runCommand, UsageError } from './command.ts'

const USAGE = `npm run export -- FOLDER
  Writes all boards as JSON in the format of 4chan and vichan, pictures and static HTML, even while the site runs.
  FOLDER    a new or empty folder, or an earlier export, of which only what has changed is written again`

runCommand(USAGE, async (services, [folder, ...others]) => {
  if (!folder || folder.startsWith('-') || others.length > 0) throw new UsageError()
  const options = { signal: createInterruptSignal(), progress: showProgress() }
  const { threads, changed, posts, pictures, missing } = await exportSite(services, folder, options)
  const about = `${formatCount(threads, 'thread')} with ${formatCount(posts, 'post')}`
  printLine(`Exported ${about} to ${resolve(folder)}: ${changed.toLocaleString('en')} new or changed`)
  printLine(`Copied ${formatCount(pictures, 'file')} of pictures`)
  if (missing > 0) printLine(`Left out ${formatCount(missing, 'file')} of pictures that the site does not have`)
})
