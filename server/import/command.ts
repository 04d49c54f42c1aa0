import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { asContext, type CommandServices, runCommand, UsageError } from '#server/commands/command.ts'
import { formatCount, printLine, printOutput, showProgress } from '#server/core/cli/terminal.ts'
import { FetchFailed } from '#server/core/http/fetcher.ts'
import { explainReadError, requireFilesFolder } from '#server/import/source/files.ts'
import { openFolder } from '#server/import/source/fourchan.ts'
import { openJschanExport, openJschanSite } from '#server/import/source/jschan.ts'
import { openLynxchanSite } from '#server/import/source/lynxchan.ts'
import { openMirror, openVichanSite } from '#server/import/source/mirror.ts'
import { openVichanDump } from '#server/import/source/vichan.ts'
import { importBoards } from './importBoards.ts'
import { ImportPlan } from './importPlan.ts'
import { type ImportCounts, ImportError, type ImportOptions, type ImportSource, type ReportProblem } from './types.ts'

const USAGE = `npm run import -- vichan URL|FILE [BOARD...]      imports boards of a vichan, or of an SQL dump of it
npm run import -- jschan URL|FOLDER [BOARD...]    imports boards of a jschan, or of a folder with its posts.json and
                                                  boards.json, written by mongoexport
npm run import -- lynxchan URL [BOARD...]         imports boards of a LynxChan
npm run import -- 4chan-json FOLDER [BOARD...]    imports files as in 4chan's API, and what npm run export writes
  BOARD            a board's name in URLs; by default, all boards are imported
  --into ID        imports one board into a board of this site
  --files FOLDER   the images of a dump or of mongoexport: the web folder of vichan, or a folder with jschan's uploads
  --update         takes over what the source has changed or deleted since the last run
  --dry-run        changes nothing, and prints what would be imported, and how much time and space it needs
  It prints everything that it leaves out. Run it again to continue, or to add new posts.`

/** Interval of lines in a log: enough to see that it goes on. */
const PROGRESS_MS = 10_000

const option = { type: 'string' } as const
const options = { into: option, files: option, update: { type: 'boolean' }, 'dry-run': { type: 'boolean' } } as const

runCommand(USAGE, async (services, args) => {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const [format = '', location, ...names] = positionals
  if (location === undefined) throw new UsageError()
  const { into, update = false, 'dry-run': dryRun = false } = values
  const progress = showProgress(PROGRESS_MS)
  const plan = dryRun ? new ImportPlan() : undefined
  let problems = 0
  const report: ReportProblem = (where, what, outcome) => {
    problems++
    plan?.addReason(what, outcome)
    printOutput(`${where}: ${what}`)
  }
  const files = values.files === undefined ? null : resolve(values.files)
  if (files !== null) await requireFilesFolder(files)
  const boards = names.map((name) => name.replaceAll('/', ''))
  const counts = await importAll(
    services,
    { format, location, boards, files },
    { into, update, dryRun, plan, report, progress },
  )
  if (plan) for (const line of await plan.describe(asContext(services))) printLine(line)
  const parts = [
    formatCount(counts.boards, 'board'),
    formatCount(counts.threads, 'thread'),
    formatCount(counts.posts, 'post'),
    formatCount(counts.images, 'image'),
  ]
  if (counts.updated !== undefined) parts.push(`updated: ${counts.updated.toLocaleString('en')}`)
  printLine(`${dryRun ? 'Would import' : 'Imported'} ${parts.join(', ')}; problems: ${problems}`)
})

type Place = { format: string; location: string; boards: string[]; files: string | null }

async function importAll(services: CommandServices, place: Place, options: ImportOptions): Promise<ImportCounts> {
  try {
    const source = await openSource(services, place, options)
    options.plan?.startReading()
    const counts = await importBoards(services, source, options)
    if (!source.hasImages)
      printLine('New posts get no images without --files. To add them, run it again with their folder')
    return counts
  } catch (error) {
    if (!(error instanceof FetchFailed)) throw explainReadError(error)
    throw new ImportError(
      `Cannot import: ${place.location} cannot be read (${error.message}). Run it again to continue`,
    )
  }
}

/** Readers of running sites, which copy their JSON first. */
const SITES = new Map([
  ['vichan', openVichanSite],
  ['jschan', openJschanSite],
  ['lynxchan', openLynxchanSite],
])

async function openSource(
  { config, fetcher }: CommandServices,
  { format, location, boards, files }: Place,
  { report, progress }: ImportOptions,
): Promise<ImportSource> {
  if (/^https?:\/\//i.test(location)) {
    const open = SITES.get(format)
    if (!open) throw new UsageError()
    // Kept after the import, so that the next run reads only threads that changed.
    const folder = resolve(config.dataDir, 'import', encodeURIComponent(location))
    return open(openMirror({ fetcher, folder, report, progress }, location), boards)
  }
  const path = resolve(location)
  if (format === '4chan-json') return openFolder(path, boards)
  if (format === 'vichan') return openVichanDump(path, boards, files)
  if (format === 'jschan') return openJschanExport(path, boards, files)
  throw new UsageError()
}
