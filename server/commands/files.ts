import { parseArgs } from 'node:util'
import { formatCount, printLine, showProgress } from '#server/core/cli/terminal.ts'
import type { StoreKind } from '#server/core/config/storageSettings.ts'
import { type MoveCounts, moveFiles } from '#server/core/storage/moveFiles.ts'
import { openStore } from '#server/core/storage/openStores.ts'
import { downloadRecordings } from '#server/features/radio/record/bucket.ts'
import { createInterruptSignal, runWithConfig, UsageError } from './command.ts'

const USAGE = `npm run files -- move --to s3|folder [--delete]
  Copies all pictures from the folder to the bucket, or back, while the site runs with FILE_STORE=s3,folder or folder,s3.
  Reads each copy back. Run it again to continue, or to copy what is left. Recordings are copied back too; the site
  itself moves them to the bucket.
  --delete    deletes each original after its copy was compared with it`

const options = { to: { type: 'string' }, delete: { type: 'boolean' } } as const

runWithConfig(USAGE, async (config, args) => {
  const { to, deleteMoved } = readArguments(args)
  const from = to === 's3' ? 'folder' : 's3'
  if (config.fileStores.join() !== `${to},${from}`) {
    throw new Error(
      `Set FILE_STORE=${to},${from} and restart the site first. New pictures then go to the new place, and those that are not moved yet are still found`,
    )
  }
  const show = showProgress()
  const describe = ({ copied, copiedBytes, present }: MoveCounts) =>
    `Copied ${formatCount(copied, 'file')}, ${(copiedBytes / 1e6).toFixed(1)} MB; ${present.toLocaleString('en')} were there before`
  const signal = createInterruptSignal()
  const move = async () => {
    if (to === 'folder') {
      const recordings = await downloadRecordings(config, { deleteMoved, signal })
      if (recordings > 0) printLine(`Copied ${formatCount(recordings, 'recording')}`)
    }
    const progress = (soFar: MoveCounts) => show(describe(soFar))
    return moveFiles(openStore(from, config), openStore(to, config), { deleteMoved, signal, progress })
  }
  const counts = await move().catch((error) => {
    throw new Error(`Stopped: ${error instanceof Error ? error.message : error}. Run it again to continue`, {
      cause: error,
    })
  })
  printLine(describe(counts))
  if (counts.gone > 0)
    printLine(`Left out ${formatCount(counts.gone, 'file')} that the site removed or renamed meanwhile`)
  if (deleteMoved) printLine(`Deleted ${formatCount(counts.deleted, 'original')}`)
  printLine(
    counts.copied + counts.gone > 0
      ? 'Run it again until it copies nothing'
      : `All files are there. ${deleteMoved ? `Set FILE_STORE=${to} and restart the site` : 'Add --delete to delete the originals'}`,
  )
})

function readArguments(args: string[]): { to: StoreKind; deleteMoved: boolean } {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  if (positionals.join() !== 'move' || (values.to !== 's3' && values.to !== 'folder')) throw new UsageError()
  return { to: values.to, deleteMoved: values.delete ?? false }
}
